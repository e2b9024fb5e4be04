package io.microbatch.bench.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.frontier.AtRate.Dominated;
import io.microbatch.bench.frontier.AtRate.Target;
import io.microbatch.bench.load.Delivery;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AtRateTest {

    private static final Turn NOT_CARRIED = new Turn(
            true,
            false,
            true,
            16,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            0);

    private static Turn turn(double p99Ms, double cpu) {
        return new Turn(
                true,
                true,
                false,
                1_000,
                p99Ms / 2,
                p99Ms * 0.9,
                p99Ms,
                p99Ms * 2,
                cpu * 0.6,
                cpu * 0.4,
                1_000 / p99Ms,
                8_000);
    }

    private static Standing standing(String name, Turn... turns) {
        return new Standing(Contender.named(name, Delivery.EXACTLY_ONCE), List.of(turns));
    }

    private static AtRate rate(Standing... standings) {
        return new AtRate(1_000, List.of(standings));
    }

    private static List<String> pairs(AtRate rate) {
        List<String> pairs = new ArrayList<>();
        for (Dominated each : rate.dominated()) {
            pairs.add(each.ours().contender().name() + " by "
                    + each.stock().contender().name());
        }
        return pairs;
    }

    @Test
    void isDominatedByAStockSettingThatIsBetterInBoth() {
        assertThat(pairs(rate(
                        standing("default", turn(50, 200)),
                        standing("fixed-20", turn(25, 260)),
                        standing("interval-20", turn(30, 190)),
                        standing("interval-50", turn(53, 100)),
                        standing("interval-5", turn(20, 400)))))
                .containsExactly("default by interval-20");
    }

    @Test
    void isNotDominatedByWhatIsEqualInOneOrIsOursToo() {
        assertThat(pairs(rate(
                        standing("default", turn(50, 200)),
                        standing("fixed-5", turn(10, 10)),
                        standing("interval-20", turn(50, 190)),
                        standing("interval-50", turn(40, 200)))))
                .isEmpty();
    }

    @Test
    void isDominatedByWhatCarriesTheRateAlone() {
        assertThat(pairs(rate(
                        standing("latency", NOT_CARRIED, NOT_CARRIED, turn(1, 1)),
                        standing("default", turn(50, 200)),
                        standing("interval-100", turn(120, 900)),
                        standing("interval-5", NOT_CARRIED, NOT_CARRIED, turn(1, 1)))))
                .containsExactly("latency by interval-100");
    }

    @Test
    void countsARoundThatDidNotCarryTheRateAsInfinitelyLate() {
        Standing standing = standing("default", turn(50, 200), NOT_CARRIED, turn(30, 100), turn(40, 180));
        assertThat(standing.carried()).isTrue();
        assertThat(standing.p99Ms()).as("of 30, 40, 50 and infinite").isEqualTo(45);
        assertThat(standing.cpu()).isEqualTo(180);
        assertThat(standing.spread(Turn::p99Ms)).containsExactly(30.0, 50.0);
        assertThat(standing.perSec()).as("of all rounds").isEqualTo(1_000);
        Standing half = standing("default", turn(50, 200), NOT_CARRIED);
        assertThat(half.carried()).as("in half of the rounds").isFalse();
        assertThat(half.p99Ms()).isNaN();
        assertThat(half.spread(Turn::p99Ms)).isEmpty();
    }

    @Test
    void comparesATargetWithTheCheapestStockSettingThatKeepsIt() {
        AtRate rate = rate(
                standing("target-30", turn(25, 50)),
                standing("target-100", turn(110, 40)),
                standing("default", turn(25, 50)),
                standing("fixed-20", turn(10, 1)),
                standing("interval-20", turn(28, 100)),
                standing("interval-10", turn(30, 80)),
                standing("interval-50", turn(54, 60)),
                standing("interval-100", turn(125, 20)));
        assertThat(rate.targets()).hasSize(2);
        Target thirty = rate.targets().get(0);
        assertThat(thirty.targetMs()).isEqualTo(30);
        assertThat(thirty.isKept()).isTrue();
        assertThat(thirty.cheapest().orElseThrow().contender().name()).isEqualTo("interval-10");
        assertThat(thirty.cpuRatio()).isEqualTo(50 / 80.0);
        assertThat(thirty.tpsOfInterval100()).isEqualTo(8);
        Target hundred = rate.targets().get(1);
        assertThat(hundred.isKept()).isFalse();
        assertThat(hundred.cheapest().orElseThrow().contender().name()).isEqualTo("interval-50");
    }

    @Test
    void aTargetThatNoStockSettingKeepsHasNoRatio() {
        AtRate rate = rate(standing("target-10", NOT_CARRIED), standing("interval-20", turn(28, 100)));
        Target target = rate.targets().get(0);
        assertThat(target.isKept()).as("not carried").isFalse();
        assertThat(target.cheapest()).isEmpty();
        assertThat(target.cpuRatio()).isNaN();
        AtRate once = rate(standing("target-30", turn(25, 50), NOT_CARRIED, turn(25, 50)));
        assertThat(once.targets().get(0).isKept()).as("not carried once").isFalse();
        Map<String, Object> json = targetJson(rate);
        assertThat(json)
                .containsEntry("p99_ms", null)
                .containsEntry("cpu_ratio", null)
                .containsEntry("cheapest", null)
                .containsEntry("tps_of_interval_100", null);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> targetJson(AtRate rate) {
        return (Map<String, Object>)
                ((List<?>) FrontierReport.json(List.of(rate)).get("targets")).get(0);
    }

    @Test
    void saysOfHowManyEventsALatencyIs() {
        AtRate rate = rate(standing("default", turn(50, 200), NOT_CARRIED, turn(60, 200)));
        assertThat(rate.standings().get(0).events()).isEqualTo(16_000);
        Object json = FrontierReport.json(List.of(rate)).get("rates");
        assertThat(json).asString().contains("events=16000, carried=true", "tps=20.0, events=8000", "events=0");
        StringWriter text = new StringWriter();
        FrontierReport.print(rate, new PrintWriter(text));
        assertThat(text.toString().lines())
                .anySatisfy(line -> assertThat(line).startsWith("default ").contains(" 16,000"));
    }

    @Test
    void printsWhatIsDominatedAndWhatDoesNotCarryTheRate() {
        StringWriter text = new StringWriter();
        FrontierReport.print(
                rate(
                        standing("default", turn(50, 200)),
                        standing("target-100", turn(90, 20)),
                        standing("interval-20", turn(30, 190)),
                        standing("interval-5", NOT_CARRIED)),
                new PrintWriter(text));
        assertThat(text.toString().lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("interval-5 ")
                        .endsWith("does not carry the rate, cut at the time limit")
                        .doesNotContain("NaN"))
                .anySatisfy(line -> assertThat(line).startsWith("default ").contains("interval-20", "50.0", "30.0"))
                .anySatisfy(line -> assertThat(line).startsWith("target-100 ").contains("yes", "0.11", "interval-20"));
    }
}
