package io.microbatch.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.Rounds;
import io.microbatch.bench.control.RegretFigures.AtRate;
import io.microbatch.bench.control.RegretFigures.Lens;
import io.microbatch.bench.control.RegretFigures.Shown;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegretFiguresTest {

    private static final double NONE = Double.NaN;

    /** End to end, everything takes a millisecond more. */
    private static Shown shown(String name, double capacity, double p99Ms, double cpu) {
        return new Shown(name, true, 1, capacity, p99Ms, 1, p99Ms + 1, cpu, Map.of());
    }

    private static Shown interval(String name, boolean reached, double endToEndP99Ms, double cpu) {
        return new Shown(name, reached, NONE, NONE, NONE, 1, endToEndP99Ms, cpu, Map.of());
    }

    private final AtRate slow = new AtRate(
            50,
            5,
            shown("adaptive", 300, 8, 1_000),
            List.of(shown("0", 200, 16, 1_500), shown("5", 400, 10, 900)),
            List.of(interval("interval_20", true, 29, 800)),
            List.of());
    private final AtRate fast = new AtRate(
            5_000,
            100,
            shown("adaptive", 80_000, 75, 40),
            List.of(
                    shown("0", 5_000, 49, 90),
                    shown("5", 30_000, 14, 60),
                    shown("80", 100_000, 99.5, 20),
                    shown("100", 120_000, 112, 10)),
            List.of(interval("interval_20", true, 28, 50), interval("interval_50", false, 9, 5)),
            List.of());

    @Test
    void takesTheMostCapacityThatKeepsTheBudgetForTheBestFixed() {
        assertThat(fast.bestFixed().name()).isEqualTo("80");
    }

    @Test
    void takesTheNearestWhereNoneKeepsTheBudget() {
        assertThat(slow.bestFixed().name()).isEqualTo("5");
        assertThat(slow.canBeKept(Lens.CAPACITY)).isFalse();
    }

    @Test
    void theCheapestIsJudgedByWhatEveryConnectorHasAndMustCarryTheRate() {
        assertThat(fast.cheapest().name()).as("80 has 100.5 ms end to end").isEqualTo("interval_20");
        assertThat(slow.cheapest().name())
                .as("none keeps 5 ms, 5 is the nearest")
                .isEqualTo("5");
    }

    @Test
    void givesEverySettingItsWorstRate() {
        List<AtRate> rates = List.of(slow, fast);
        assertThat(RegretFigures.worstRatios(rates, Lens.CAPACITY))
                .containsOnlyKeys("0", "5", "80", "100")
                .containsEntry("0", 5_000 / 80_000.0)
                .containsEntry("5", 30_000 / 80_000.0)
                .containsEntry("100", 0.0);
        assertThat(RegretFigures.worstRatios(rates, Lens.CPU))
                .containsEntry("5", 40 / 60.0)
                .containsEntry("80", 0.0)
                .containsEntry("interval_20", 9 / 29.0)
                .containsEntry("interval_50", 0.0);
    }

    @Test
    void aLingerThatWasNotMeasuredIsLongerThanTheBudgetOrThanABatch() {
        assertThat(RegretFigures.worstRatios(List.of(slow, fast), Lens.CAPACITY))
                .as("at 50/s, of 8 ms to 80 at least")
                .containsEntry("80", 8 / 80.0);
        AtRate endsAtN = new AtRate(
                100_000, 500, shown("adaptive", 100, 75, 40), List.of(shown("10", 80, 49, 90)), List.of(), List.of());
        assertThat(RegretFigures.worstRatios(List.of(fast, endsAtN), Lens.CAPACITY))
                .as("as the longest one that was measured")
                .containsEntry("80", 0.8);
    }

    @Test
    void comparesLatenciesWhereNobodyKeepsTheBudget() {
        assertThat(slow.ratio(shown("x", 1, 16, 1), Lens.CAPACITY)).isEqualTo(0.5);
        AtRate keptByAdaptive =
                new AtRate(50, 9, shown("adaptive", 300, 8, 1), List.of(shown("0", 200, 16, 1)), List.of(), List.of());
        assertThat(keptByAdaptive.ratio(shown("0", 200, 16, 1), Lens.CAPACITY)).isZero();
    }

    @Test
    void aSettingThatWasNotMeasuredBecauseItDoesNotCarryTheRateIsWorthNothing() {
        AtRate without = new AtRate(
                300, 10, shown("adaptive", 1, 8, 1), List.of(shown("0", 1, 9, 1)), List.of(), List.of("interval_20"));
        assertThat(RegretFigures.worstRatios(List.of(slow, without), Lens.CPU)).containsEntry("interval_20", 0.0);
    }

    @Test
    void measuresLingersAroundTheBudgetAndNoneThatABatchDoesNotReach() {
        List<Integer> grid = List.of(0, 1, 5, 20, 30, 50, 70, 80, 100, 150, 200, 300, 400, 500);
        assertThat(RegretFigures.lingersMs(grid, 10, 30)).containsExactly(0, 1, 5, 20, 30);
        assertThat(RegretFigures.lingersMs(grid, 10, 1))
                .as("no floor under the budget")
                .containsExactly(0, 1);
        assertThat(RegretFigures.lingersMs(grid, 1_000, 50)).containsExactly(0, 1, 5, 20, 30, 50);
        assertThat(RegretFigures.lingersMs(grid, 25_000, 500)).isEqualTo(grid);
        assertThat(RegretFigures.lingersMs(grid, 100_000, 1_000))
                .as("20,000 events are 200 ms")
                .endsWith(150, 200);
    }

    @Test
    void showsTheMediansOfTheRounds() {
        Rounds rounds = new Rounds();
        rounds.add(Map.of("p99_end_to_end_ms", 10.0, "cpu_s_per_million", 3.0));
        rounds.add(Map.of("p99_end_to_end_ms", 30.0, "cpu_s_per_million", 1.0, "capacity", 7.0));
        rounds.add(Map.of("p99_end_to_end_ms", 20.0, "cpu_s_per_million", 2.0));
        Shown shown = Shown.of("x", true, rounds);
        assertThat(shown.endToEndP99Ms()).isEqualTo(20);
        assertThat(shown.cpuSecPerMillion()).isEqualTo(2);
        assertThat(shown.capacity()).isEqualTo(7);
        assertThat(shown.p99Ms()).isNaN();
        assertThat(shown.rounds()).containsKeys("spread", "each_round");
    }
}
