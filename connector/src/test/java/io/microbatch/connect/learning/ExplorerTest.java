package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplorerTest {

    private static final int MAX_EVENTS = 60;
    private static final long MS = 1_000_000;
    private static final long COST_NANOS = 5 * MS;

    private static Explorer explorer(long budgetMs) {
        return explorer(budgetMs, Objective.EFFICIENCY);
    }

    private static Explorer explorer(long budgetMs, Objective objective) {
        ControlSettings control = new ControlSettings(
                MAX_EVENTS, 1 << 20, 0, new LatencyBudgets(0, Integer.MAX_VALUE), Margin.DEFAULT, false, false);
        Explorer explorer =
                new Explorer(new LearnerSettings(control, objective, 10_000), budgetMs * MS, new SplittableRandom(3));
        explorer.resume();
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, MS);
        Optional<BatchSetting> ignored = explorer.next(inForce, seen(inForce, 1), true, NEVER_BROKEN, 0);
        return explorer;
    }

    private static final double NEVER_BROKEN = Double.POSITIVE_INFINITY;

    private static Observation seen(BatchSetting inForce, int eventsPerBatch) {
        return seen(inForce, eventsPerBatch, 400);
    }

    private static Observation seen(BatchSetting inForce, int eventsPerBatch, double busyMs) {
        return new Observation(
                1,
                10_000,
                PressureLevel.L4_MODERATE,
                inForce,
                100L * eventsPerBatch,
                100,
                100,
                (long) (busyMs * MS),
                5_000,
                MS,
                inForce.lingerNanos() + COST_NANOS,
                true,
                false);
    }

    @Test
    void neverTriesTheSettingInForce() {
        Explorer explorer = explorer(50);
        // The longest linger that the budget allows, and the maximum number of events of the operator.
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 36 * MS);
        for (int i = 0; i < 1_000; i++) {
            assertThat(explorer.next(inForce, seen(inForce, MAX_EVENTS), true, NEVER_BROKEN, 0))
                    .hasValueSatisfying(trial -> {
                        assertThat(trial.isLike(inForce)).isFalse();
                        assertThat(trial.lingerMs()).isBetween(0.2, 36.0);
                        assertThat(trial.maxEvents()).isLessThanOrEqualTo(MAX_EVENTS);
                    });
        }
    }

    @Test
    void beginsWithTheLongestLingerThatTheMedianDelayAllows() {
        Explorer explorer = explorer(10);
        explorer.restart();
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 1 * MS);
        // The tail leaves 0.8 × 10 - 5 = 3 ms. 10 ms of busy time per batch leave nothing.
        assertThat(explorer.next(inForce, seen(inForce, 1, 1_000), true, NEVER_BROKEN, 0))
                .hasValue(new BatchSetting(MAX_EVENTS, 3 * MS));
        explorer.restart();
        assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, 0))
                .hasValue(new BatchSetting(MAX_EVENTS, 7 * MS));
        explorer.restart();
        assertThat(explorer.next(inForce, seen(inForce, 1, 200), true, NEVER_BROKEN, 0))
                .hasValue(new BatchSetting(MAX_EVENTS, 6 * MS));
    }

    @ParameterizedTest
    @CsvSource({"6, 5.4", "4, 3.6", "3, 3"})
    void staysBelowALingerThatBrokeTheBudgetUnlessTheTailDelayAllowsIt(double breakingMs, double longestMs) {
        Explorer explorer = explorer(10);
        explorer.restart();
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 1 * MS);
        assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, breakingMs * MS, 0)
                        .orElseThrow()
                        .lingerMs())
                .isEqualTo(longestMs);
    }

    @ParameterizedTest
    @CsvSource({"6600, true", "6700, false"})
    void triesNoLingerForLatencyThatCannotImproveThePercentileIfATaskIsIdleForAThird(double busyMs, boolean bounded) {
        Explorer explorer = explorer(50, Objective.LATENCY);
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 10 * MS);
        Observation seen = new Observation(
                1,
                10_000,
                PressureLevel.L4_MODERATE,
                inForce,
                1_000,
                1_000,
                1_000,
                (long) (busyMs * MS),
                5_000,
                MS,
                15 * MS,
                true,
                false);
        List<Double> lingersMs = Stream.generate(() -> explorer.next(inForce, seen, true, NEVER_BROKEN, 0))
                .limit(100)
                .map(trial -> trial.orElseThrow().lingerMs())
                .toList();
        // 15 ms less a commit of 6.6 ms.
        assertThat(lingersMs.stream().allMatch(lingerMs -> lingerMs <= 8.4)).isEqualTo(bounded);
        assertThat(lingersMs).anyMatch(lingerMs -> lingerMs > 8);
    }

    /** Commits by the clock, such as once a minute: a window cannot observe a trial that is longer than itself. */
    @Test
    void triesNoLingerAboveTheLargestBudgetWithSlowCommits() {
        Explorer explorer = explorer(50);
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 10 * MS);
        Observation slow = new Observation(
                1,
                10_000,
                PressureLevel.L4_MODERATE,
                inForce,
                100,
                100,
                100,
                10 * MS,
                5_000,
                MS,
                60_000 * MS,
                false,
                false);
        List<Double> lingersMs = Stream.generate(() -> explorer.next(inForce, slow, false, NEVER_BROKEN, 0))
                .limit(1_000)
                .map(trial -> trial.orElseThrow().lingerMs())
                .toList();
        assertThat(lingersMs).allMatch(lingerMs -> lingerMs <= 30_000);
        assertThat(lingersMs).anyMatch(lingerMs -> lingerMs > 10_000);
    }

    /** The delays that were seen leave 40 ms less the cost. The floor of a budget of 50 ms is 10 ms. */
    @ParameterizedTest
    @CsvSource({"5, Infinity, 35", "5, 39, 35", "5, 38, -1", "38, Infinity, 10", "40, Infinity, -1"})
    void triesTheLingerThatFitsIfOnlyTheOneInForceBreaksTheBudget(double costMs, double breakingMs, double triedMs) {
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 100 * MS);
        Observation over = new Observation(
                1,
                10_000,
                PressureLevel.L4_MODERATE,
                inForce,
                1_000,
                100,
                100,
                400 * MS,
                5_000,
                MS,
                (long) ((100 + costMs) * MS),
                false,
                false);
        BatchSetting first =
                explorer(50).next(inForce, over, false, breakingMs * MS, 0).orElseThrow();
        assertThat(first.maxEvents()).isEqualTo(MAX_EVENTS);
        if (triedMs > 0) {
            assertThat(first.lingerMs()).isEqualTo(triedMs);
        } else {
            assertThat(first.lingerMs()).isNotIn(10.0, 35.0);
        }
    }

    /** Otherwise the first trials would be as rare as the last ones, each of them in a window of 10 s. */
    @Test
    void doesNotPostponeTheFirstTrialsByThoseOfTheFittingLinger() {
        Explorer explorer = explorer(50);
        explorer.restart();
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 100 * MS);
        for (int i = 0; i < 6; i++) {
            assertThat(explorer.next(inForce, seen(inForce, 1), false, NEVER_BROKEN, 0))
                    .hasValue(new BatchSetting(MAX_EVENTS, 35 * MS));
            explorer.failed();
            assertThat(explorer.windowEnded()).isTrue();
        }
    }

    /** Otherwise a level whose fitting linger never says anything would try it in every second window for ever. */
    @Test
    void pausesAfterTheSeventhTrialOfTheFittingLingerThatSaysNothing() {
        Explorer explorer = explorer(50);
        explorer.restart();
        IntStream.range(0, 7).forEach(i -> explorer.failed());
        assertThat(explorer.windowEnded()).isFalse();
        assertThat(explorer.windowEnded()).isTrue();
    }

    @Test
    void triesNothingThatIsTooShortToBeEfficient() {
        Explorer explorer = explorer(50);
        explorer.restart();
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 36 * MS);
        // The bracket's lingers are 39, 19.5, 9.75 and 2.4 ms. The first one is like the one in force.
        double wastefulNanos = 10 * MS;
        assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, wastefulNanos))
                .hasValue(new BatchSetting(MAX_EVENTS, 19_500_000));
        for (int i = 0; i < 1_000; i++) {
            assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, wastefulNanos))
                    .hasValueSatisfying(trial -> assertThat(trial.lingerMs()).isBetween(13.0, 39.0));
        }
    }

    /** A median of 1 ms leaves 39 ms. */
    @ParameterizedTest
    @CsvSource({"15, true", "33, true", "35, false"})
    void oftenTriesTheLongestLingerIfItIsClearlyLonger(double inForceMs, boolean clearly) {
        Explorer explorer = explorer(50);
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, (long) (inForceMs * MS));
        long longest = IntStream.range(0, 1_000)
                .mapToObj(i -> explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, 0))
                .filter(trial -> trial.orElseThrow().lingerMs() == 39)
                .count();
        assertThat(longest > 450).isEqualTo(clearly);
    }

    /** The tail of the delays leaves 35 ms, which have broken the budget all the same. */
    @Test
    void doesNotOftenTryTheLongestLingerIfItBrokeTheBudget() {
        Explorer explorer = explorer(50);
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 15 * MS);
        long longest = IntStream.range(0, 1_000)
                .mapToObj(i -> explorer.next(inForce, seen(inForce, 1, 100), true, 35.0 * MS, 0))
                .filter(trial -> trial.orElseThrow().lingerMs() == 35)
                .count();
        assertThat(longest).isLessThan(150);
    }

    @Test
    void rarelyLooksWhetherAShortLingerHasBecomeEfficient() {
        Explorer explorer = explorer(50);
        for (int i = 0; i < 10; i++) {
            explorer.failed();
        }
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 36 * MS);
        long shorter = IntStream.range(0, 1_000)
                .mapToObj(i -> explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, 20 * MS))
                .filter(trial -> trial.map(BatchSetting::lingerMs).orElse(36.0) < 20)
                .count();
        assertThat(shorter).isBetween(50L, 500L);
    }

    @Test
    void triesNothingIfTheBudgetLeavesNoChoice() {
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 200_000);
        assertThat(explorer(5).next(inForce, seen(inForce, 1), true, NEVER_BROKEN, 0))
                .isEmpty();
    }

    /** Every restart of a task would otherwise cost many transactions. */
    @Test
    void waitsAfterTheFirstTrialOfALevelThatWasExploredBefore() {
        Explorer explorer = explorer(50);
        explorer.failed();
        long waited =
                Stream.generate(explorer::windowEnded).takeWhile(time -> !time).count();
        assertThat(waited).isEqualTo(7);
    }

    @Test
    void triesNothingAtFirstIfTheLongestLingerIsInForceWhereAnEarlierRunExplored() {
        Explorer explorer = explorer(50);
        explorer.restart();
        explorer.resume();
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 39 * MS);
        assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, 0))
                .isEmpty();
        assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, 0))
                .isPresent();
    }

    @Test
    void waitsAgainAfterEveryTrial() {
        Explorer explorer = explorer(50);
        explorer.succeeded();
        explorer.failed();
        assertThat(explorer.windowEnded()).isFalse();
        assertThat(explorer.windowEnded()).isTrue();
        assertThat(explorer.windowEnded()).isFalse();
        assertThat(explorer.windowEnded()).isTrue();
    }

    @Test
    void exploresUntilATrialIsDueAfterTheFirstOnes() {
        Explorer explorer = explorer(50);
        explorer.restart();
        BatchSetting inForce = new BatchSetting(MAX_EVENTS, 30 * MS);
        for (double lingerMs : new double[] {39, 19.5, 9.75, 2.4375}) {
            assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, 0)
                            .orElseThrow()
                            .lingerMs())
                    .isEqualTo(lingerMs);
            assertThat(explorer.isExploring()).isTrue();
        }
        assertThat(explorer.next(inForce, seen(inForce, 1, 100), true, NEVER_BROKEN, 0))
                .isPresent();
        assertThat(explorer.isExploring()).isFalse();
        explorer.restart();
        assertThat(explorer.isExploring()).isTrue();
    }

    @Test
    void doesNotExploreWhatAnEarlierRunExplored() {
        Explorer explorer = explorer(50);
        explorer.restart();
        explorer.resume();
        assertThat(explorer.isExploring()).isFalse();
    }

    @Test
    void exploresByShortWindowsForThirtyWindowsAtMost() {
        Explorer explorer = explorer(50);
        explorer.restart();
        for (int i = 0; i < 30; i++) {
            assertThat(explorer.isExploring()).isTrue();
            explorer.observed();
        }
        assertThat(explorer.isExploring()).isFalse();
        explorer.restart();
        assertThat(explorer.isExploring()).isTrue();
    }
}
