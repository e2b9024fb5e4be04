package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Percentiles;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CdcGoalsTest {

    private final Map<CdcContender, CdcFigures> medians = new EnumMap<>(CdcContender.class);

    private void add(CdcContender contender, double p99Ms, double backlogPerSec, double cpu) {
        add(contender, p99Ms, backlogPerSec, cpu, 0);
    }

    private void add(CdcContender contender, double p99Ms, double backlogPerSec, double cpu, double brokerCpu) {
        CdcFigures.Cpu backlog = new CdcFigures.Cpu(cpu, brokerCpu);
        CdcFigures.Cpu steady = new CdcFigures.Cpu(10 * cpu, 10 * brokerCpu);
        medians.put(
                contender,
                new CdcFigures(
                        new Percentiles(1, 2, 2),
                        new Percentiles(3, p99Ms, p99Ms),
                        Percentiles.of(percentile -> Double.NaN),
                        new CdcFigures.LateMs(0, 0, Double.NaN),
                        backlogPerSec,
                        backlog,
                        steady,
                        steady,
                        Map.of()));
    }

    private CdcGoals.Verdict verdict(String name) {
        return new CdcGoals(medians)
                .verdicts().stream()
                        .filter(verdict -> verdict.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void theRivalAtALatencyIsTheFastestOfThoseThatAreAsQuick() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        add(CdcContender.SMALL, 30, 20_000, 40);
        add(CdcContender.SMALL_I20, 31, 25_000, 40);
        add(CdcContender.MID_I50, 64, 90_000, 40);
        add(CdcContender.EFFICIENCY, 31, 45_000, 30);
        CdcGoals.Verdict slower = verdict("same_p99");
        assertThat(slower.ratios().rival()).as("quicker and faster than small").isEqualTo(CdcContender.TUNED);
        assertThat(slower.ratios().backlog()).isEqualTo(1.5);
        assertThat(slower.met()).as("its p99 is higher").isFalse();

        add(CdcContender.EFFICIENCY, 20, 36_000, 40);
        assertThat(verdict("same_p99").met()).isTrue();
        add(CdcContender.EFFICIENCY, 20, 35_999, 40);
        assertThat(verdict("same_p99").met()).isFalse();
    }

    @Test
    void whereNoStockSettingIsAsQuickTheQuickestIsTheRival() {
        add(CdcContender.TUNED, 23, 38_000, 40);
        add(CdcContender.SMALL, 22.9, 10_000, 40);
        add(CdcContender.MID_I50, 64, 90_000, 40);
        add(CdcContender.ADAPTIVE, 10, 46_000, 30);
        assertThat(verdict("same_p99").ratios().rival()).isEqualTo(CdcContender.SMALL);
        CdcGoals.Verdict tolerant = verdict("same_p99_within_tenth");
        assertThat(tolerant.ratios().rival()).as("as quick but for noise").isEqualTo(CdcContender.TUNED);
        assertThat(tolerant.met()).isTrue();
    }

    @Test
    void theRivalAtARateIsTheQuickestOfThoseThatAreAsFast() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        add(CdcContender.SMALL_I50, 60, 40_000, 40);
        add(CdcContender.MID_I50, 64, 41_000, 40);
        add(CdcContender.ADAPTIVE, 30, 40_000, 40);
        CdcGoals.Verdict strict = verdict("same_backlog");
        assertThat(strict.ratios().rival()).isEqualTo(CdcContender.SMALL_I50);
        assertThat(strict.ratios().p99()).isEqualTo(0.5);
        assertThat(strict.met()).isTrue();

        add(CdcContender.TUNED, 20, 36_500, 40);
        assertThat(verdict("same_backlog").ratios().rival()).isEqualTo(CdcContender.SMALL_I50);
        assertThat(verdict("same_backlog_within_tenth").ratios().rival()).isEqualTo(CdcContender.TUNED);
        assertThat(verdict("same_backlog_within_tenth").met()).isFalse();
    }

    @Test
    void anIntervalWithALingerIsARivalLikeAnyOther() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        add(CdcContender.MID_I50, 64, 41_000, 40);
        add(CdcContender.MID_I50_L50, 60, 41_500, 30);
        add(CdcContender.EFFICIENCY, 90, 41_000, 36);
        assertThat(verdict("same_p99").ratios().rival()).isEqualTo(CdcContender.MID_I50_L50);
        assertThat(verdict("same_p99").ratios().keepsCpu()).as("36 versus 30").isFalse();
        assertThat(verdict("same_backlog").ratios().rival()).isEqualTo(CdcContender.MID_I50_L50);
    }

    @Test
    void whereOursIsTheFastestTheFastestStockSettingIsTheRival() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        add(CdcContender.MID_I50, 64, 41_000, 40);
        add(CdcContender.ADAPTIVE, 40, 60_000, 40);
        assertThat(verdict("same_backlog").ratios().rival()).isEqualTo(CdcContender.MID_I50);
        assertThat(verdict("same_backlog").met()).as("0.63 of its p99").isFalse();
    }

    @Test
    void moreProcessorTimeThanTheRivalIsSaid() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        add(CdcContender.ADAPTIVE, 20, 40_000, 41);
        assertThat(verdict("same_p99").ratios().keepsCpu()).isFalse();
        assertThat(verdict("same_p99").text()).contains("CPU 1.03", "more CPU", ": met");
    }

    @Test
    void theBrokersProcessorTimeCountsToo() {
        add(CdcContender.TUNED, 20, 30_000, 40, 10);
        add(CdcContender.ADAPTIVE, 20, 40_000, 36, 16);
        assertThat(verdict("same_p99").ratios().cpuInBacklog()).isEqualTo(1.04);
        assertThat(verdict("same_p99").ratios().keepsCpu()).isFalse();
        add(CdcContender.ADAPTIVE, 20, 40_000, 42, 8);
        assertThat(verdict("same_p99").ratios().keepsCpu()).isTrue();
    }

    @Test
    void aResultNamesWhatWasComparedWithWhat() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        add(CdcContender.SMALL, 40, 20_000, 40);
        add(CdcContender.DEFAULT, 10, 60_000, 20);
        Map<String, Object> goals = new CdcGoals(medians).json();
        assertThat(goals).containsOnlyKeys("rule", "default");
        Map<?, ?> ours = (Map<?, ?>) goals.get("default");
        assertThat(ours.get("same_p99")).asString().contains("compared_with=tuned", "backlog_ratio=2.0", "met=true");
        assertThat(ours.get("versus")).asString().contains("compared_with=tuned", "compared_with=small");
    }

    @Test
    void aLowTargetWithTheDefaultObjectiveIsComparedToo() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        add(CdcContender.HOSTED_30, 12, 36_000, 40);
        Map<String, Object> goals = new CdcGoals(medians).json();
        assertThat(goals).containsOnlyKeys("rule", "hosted-30");
        assertThat(verdict("same_p99").ours()).isEqualTo(CdcContender.HOSTED_30);
        assertThat(verdict("same_p99").met()).isTrue();
        assertThat(verdict("same_backlog").met()).as("0.6 of its p99").isTrue();
    }

    @Test
    void thereIsNothingToCompareWithoutBothKinds() {
        add(CdcContender.TUNED, 20, 30_000, 40);
        assertThat(new CdcGoals(medians).verdicts()).isEmpty();
        medians.clear();
        add(CdcContender.ADAPTIVE, 20, 30_000, 40);
        assertThat(new CdcGoals(medians).verdicts()).isEmpty();
    }

    @Test
    void whatHasNoFigureIsNotCompared() {
        add(CdcContender.TUNED, Double.NaN, 30_000, 40);
        add(CdcContender.SMALL, 40, 20_000, 40);
        add(CdcContender.ADAPTIVE, 20, 30_000, 40);
        assertThat(verdict("same_p99").ratios().rival()).isEqualTo(CdcContender.SMALL);
    }
}
