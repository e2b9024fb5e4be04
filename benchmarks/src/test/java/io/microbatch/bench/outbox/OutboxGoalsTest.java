package io.microbatch.bench.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.microbatch.bench.Goal;
import io.microbatch.bench.load.Percentiles;
import io.microbatch.bench.outbox.OutboxTurn.Cpu;
import io.microbatch.testbed.oracle.Findings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutboxGoalsTest {

    private static final double NEVER = Double.POSITIVE_INFINITY;

    private final OutboxStandings standings = new OutboxStandings();

    private static OutboxTurn turn(double perSec, double p99, double cpu) {
        return turn(perSec, p99, cpu, 0);
    }

    private static OutboxTurn turn(double perSec, double p99, double cpu, long lost) {
        return new OutboxTurn(
                new Findings(100, lost, 0, 0, 0, 0, 0, 0, 0, List.of()),
                100,
                perSec,
                new Percentiles(1, 2, 2),
                new Percentiles(p99 / 2, p99, p99),
                new Cpu(cpu, 10, 5),
                Cpu.NONE);
    }

    private Goal goal(String name) {
        return OutboxGoals.of(standings).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void comparesTheMedianBacklogsWithEachRival() {
        standings.add(OutboxContender.OUTBOX_1, turn(20_000, 50, 5));
        standings.add(OutboxContender.OUTBOX_1, turn(40_000, 50, 5));
        standings.add(OutboxContender.FIRE_FLUSH_AWAIT_100, turn(5_000, 50, 5));
        standings.add(OutboxContender.SEND_AND_WAIT, turn(400, NEVER, 5));
        standings.add(OutboxContender.HOSTED, turn(40_000, 50, 5));

        Goal flushing = goal("backlog_per_s, outbox-1 versus fire-flush-await-100");
        assertThat(flushing.value()).isEqualTo(6);
        assertThat(flushing.isMet()).isTrue();
        assertThat(flushing.toJson("ratio")).containsEntry("ratio", 6.0).containsEntry("met", true);
        assertThat(goal("backlog_per_s, outbox-1 versus send-and-wait").isMet()).isFalse();
        assertThat(goal("backlog_per_s, outbox-1 versus hosted").value()).isEqualTo(0.75);
        assertThat(OutboxGoals.versusSendAndWait(standings)).containsExactly(Map.entry("fire-flush-await-100", 12.5));
    }

    @Test
    void comparesTheLatencyWithTheBestStockSettingAndTheDatabasesCpuWithTheCheapestRelay() {
        standings.add(OutboxContender.OUTBOX_1, turn(1, 60, 8));
        standings.add(OutboxContender.DEBEZIUM_SMALL, turn(1, 90, 1));
        standings.add(OutboxContender.DEBEZIUM_MID_I50, turn(1, 50, 1));
        standings.add(OutboxContender.HOSTED, turn(1, 10, 1));
        standings.add(OutboxContender.FIRE_FLUSH_AWAIT_50, turn(1, 10, 20));
        standings.add(OutboxContender.FIRE_FLUSH_AWAIT_100, turn(1, 10, 16));

        Goal latency = goal("p99_ms_1000, outbox-1 versus debezium-mid-i50");
        assertThat(latency.value()).isCloseTo(1.2, within(1e-9));
        assertThat(latency.isMet()).isFalse();
        Goal cpu = goal("postgres_cpu_s_per_million, outbox-1 versus fire-flush-await-100");
        assertThat(cpu.value()).isEqualTo(0.5);
        assertThat(cpu.isMet()).isTrue();
        standings.add(OutboxContender.FIRE_FLUSH_AWAIT_1000, turn(1, 10, 6));
        assertThat(goal("postgres_cpu_s_per_million, outbox-1 versus fire-flush-await-1000")
                        .isMet())
                .as("the cheapest relay, whatever its batch")
                .isFalse();
        assertThat(OutboxGoals.losing(standings))
                .contains("p99_ms_1000, outbox-1: 60.0 versus 50.0 of debezium-mid-i50")
                .noneMatch(line -> line.contains("fire-flush-await-50") && line.contains("postgres"));
    }

    @Test
    void theBestStockSettingMayHaveALinger() {
        standings.add(OutboxContender.OUTBOX_1, turn(1, 60, 1));
        standings.add(OutboxContender.DEBEZIUM_MID_I50, turn(1, 64, 1));
        standings.add(OutboxContender.DEBEZIUM_MID_I50_L50, turn(1, 48, 1));

        assertThat(goal("p99_ms_1000, outbox-1 versus debezium-mid-i50-l50").value())
                .isEqualTo(1.25);
    }

    @Test
    void aRateThatIsNotCarriedHasALatencyWithoutEnd() {
        standings.add(OutboxContender.OUTBOX_1, turn(1, 60, 1));
        standings.add(OutboxContender.OUTBOX_1, turn(1, NEVER, 1));
        standings.add(OutboxContender.DEBEZIUM_SMALL, turn(1, 50, 1));

        Goal latency = goal("p99_ms_1000, outbox-1 versus debezium-small");
        assertThat(latency.isMet()).isFalse();
        assertThat(standings.json(OutboxContender.OUTBOX_1))
                .containsEntry("p99_ms_1000", null)
                .containsEntry("carried_1000_turns", 1L);
    }

    @Test
    void aTurnThatIsNotVerifiedHasNoFigures() {
        standings.add(OutboxContender.OUTBOX_1, turn(1_000_000, 1, 1, 1));
        standings.add(OutboxContender.FIRE_FLUSH_AWAIT_100, turn(5_000, 50, 5));

        assertThat(goal("backlog_per_s, outbox-1 versus fire-flush-await-100").isMet())
                .isFalse();
        assertThat(standings.json(OutboxContender.OUTBOX_1))
                .containsEntry("verified", false)
                .containsEntry("lost", 1L)
                .containsEntry("backlog_per_s", null);
    }

    @Test
    void hasNoGoalVersusWhatWasNotMeasured() {
        standings.add(OutboxContender.OUTBOX_4, turn(1, 1, 1));
        assertThat(OutboxGoals.of(standings)).extracting(Goal::name).containsExactly("inversions, outbox-4");
        assertThat(OutboxGoals.of(standings)).allMatch(Goal::isMet);
    }
}
