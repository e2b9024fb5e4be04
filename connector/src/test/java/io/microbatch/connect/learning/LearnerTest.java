package io.microbatch.connect.learning;

import static io.microbatch.connect.pressure.PressureLevel.L4_MODERATE;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.LevelTargets;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnerTest {

    private static final long MS = 1_000_000;
    private static final ControlSettings SETTINGS = new ControlSettings(
            2_000, 1 << 20, 0, new LatencyBudgets(0, Integer.MAX_VALUE), Margin.DEFAULT, false, false);

    private final LevelTargets targets = new LevelTargets(SETTINGS, Objective.EFFICIENCY);
    private final Learner learner =
            new Learner(targets, new LearnerSettings(SETTINGS, Objective.EFFICIENCY, 10_000), new SplittableRandom(1));
    private long endMs = 1_000_000;

    /** A window at a thousand events per second with the target in force. */
    private Optional<LevelBest> window(long windowMs, double serviceRate, double p99Ms) {
        return window(L4_MODERATE, windowMs, serviceRate, p99Ms);
    }

    private Optional<LevelBest> window(PressureLevel level, long windowMs, double serviceRate, double p99Ms) {
        BatchTarget inForce = targets.of(level);
        endMs += windowMs;
        return learner.learn(new Observation(
                endMs,
                windowMs,
                level,
                inForce.setting(),
                windowMs,
                100,
                100,
                400 * MS,
                serviceRate,
                (long) (Math.min(1, p99Ms) * MS),
                (long) (p99Ms * MS),
                p99Ms <= 50,
                inForce.trial()));
    }

    /** The best known setting of a level whose first trials are not over. */
    private static BatchTarget exploring(int maxEvents, long lingerNanos) {
        return new BatchTarget(new BatchSetting(maxEvents, lingerNanos), false, false, true, false);
    }

    @Test
    void exploresByShortWindowsFromWhenItKnowsWhatAnEarlierRunLearned() {
        assertThat(targets.of(L4_MODERATE).exploring()).isFalse();
        LevelBest unfinished =
                new LevelBest(L4_MODERATE, new BatchSetting(2_000, 33_000_000), 8_000, 8_000, 1_000, 42 * MS, 9, 5, 1);
        LevelBest finished =
                new LevelBest(L5_BALANCED, new BatchSetting(2_000, 33_000_000), 8_000, 8_000, 5_000, 42 * MS, 10, 5, 1);
        learner.opened(Map.of(L4_MODERATE, unfinished, L5_BALANCED, finished));
        assertThat(targets.of(PressureLevel.L6_THROUGHPUT).exploring()).isTrue();
        assertThat(targets.of(L4_MODERATE).exploring()).isTrue();
        assertThat(targets.of(L5_BALANCED).exploring()).isFalse();
    }

    @Test
    void exploresByShortWindowsAfterTheFirstOneIfThereIsNoFile() {
        window(10_000, 5_000, 30);
        assertThat(targets.of(L4_MODERATE).exploring()).isTrue();
        window(2_000, 5_000, 30);
        assertThat(targets.of(L4_MODERATE).trial()).isTrue();
    }

    /** A task that starts compiles its code and reads what has waited, whether or not an earlier run knew the level. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void learnsNothingInTheFirstTenSeconds(boolean resumed) {
        LevelBest known =
                new LevelBest(L4_MODERATE, new BatchSetting(1_500, 20_000_000), 5_000, 5_000, 1_000, 30 * MS, 9, 5, 0);
        learner.opened(resumed ? Map.of(L4_MODERATE, known) : Map.of());
        BatchTarget first = targets.of(L4_MODERATE);
        for (int i = 0; i < 5; i++) {
            assertThat(window(2_000, 500, 90)).as("window %d", i).isEmpty();
            assertThat(targets.of(L4_MODERATE)).isEqualTo(first);
        }
        LevelBest news = window(2_000, 5_000, 30).orElseThrow();
        assertThat(news.ackP99Nanos()).isEqualTo(30 * MS);
        assertThat(news.observations()).isEqualTo(resumed ? 10 : 1);
        assertThat(news.regressions()).isZero();
    }

    /** The time of a window is that of the system's clock, which somebody may set. */
    @Test
    void learnsWhenTheClockWasSetBack() {
        learner.opened(Map.of());
        for (int i = 0; i < 6; i++) {
            window(2_000, 5_000, 30);
        }
        endMs -= 500_000;
        window(2_000, 5_000, 30);
        assertThat(window(2_000, 5_000, 30)).isPresent();
    }

    /** Only the task starts. A level that it reaches later finds compiled code. */
    @Test
    void learnsALevelThatIsReachedLaterAtOnce() {
        learner.opened(Map.of());
        for (int i = 0; i < 6; i++) {
            window(2_000, 5_000, 30);
        }
        window(L5_BALANCED, 2_000, 5_000, 30);
        assertThat(window(L5_BALANCED, 2_000, 5_000, 30)).isPresent();
    }

    @Test
    void triesNothingInUnsteadyWindows() {
        window(10_000, 5_000, 30);
        window(1_500, 5_000, 30);
        assertThat(targets.of(L4_MODERATE).trial()).isFalse();
        assertThat(learner.explorationTotal()).isZero();
    }

    @Test
    void doesNotCompareWindowsThatAreFarApart() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        assertThat(targets.of(L4_MODERATE).trial()).isTrue();
        // The task spent an hour at other levels.
        endMs += 3_600_000;
        window(10_000, 9_000, 40);
        assertThat(window(10_000, 5_000, 30).orElseThrow().setting().lingerMs()).isEqualTo(25);
    }

    @Test
    void triesForOneWindowAndReturnsToTheBest() {
        window(10_000, 5_000, 30);
        BatchTarget best = targets.of(L4_MODERATE);
        window(10_000, 5_000, 30);
        BatchTarget trial = targets.of(L4_MODERATE);
        assertThat(trial.trial()).isTrue();
        assertThat(trial.setting().lingerNanos())
                .isNotEqualTo(best.setting().lingerNanos())
                .isLessThanOrEqualTo(40_000_000);
        window(10_000, 9_000, 40);
        assertThat(targets.of(L4_MODERATE).trial()).isFalse();
        assertThat(learner.explorationTotal()).isEqualTo(1);
    }

    @Test
    void adoptsATrialThatIsClearlyBetterThanTheWindowsBeforeAndAfter() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        BatchTarget trial = targets.of(L4_MODERATE);
        window(10_000, 9_000, 45);
        LevelBest learned = window(10_000, 5_000, 30).orElseThrow();
        assertThat(learned.setting().lingerMs()).isEqualTo(trial.setting().lingerMs());
        assertThat(learned.ackP99Nanos()).isEqualTo(45 * MS);
    }

    @Test
    void doesNotAdoptATrialThatBreaksTheBudgetOrCoincidesWithAFasterMachine() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        double bootstrapMs = 25;
        window(10_000, 9_000, 76);
        assertThat(window(10_000, 5_000, 30).orElseThrow().setting().lingerMs()).isEqualTo(bootstrapMs);
        // All settings are twice as fast for a while, including the best one.
        window(10_000, 10_000, 30);
        assertThat(window(10_000, 10_000, 30).orElseThrow().setting().lingerMs())
                .isEqualTo(bootstrapMs);
    }

    @Test
    void repeatsATrialThatASingleStallMayHavePushedOverTheBudget() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        BatchTarget trial = targets.of(L4_MODERATE);
        window(10_000, 9_000, 60);
        assertThat(window(10_000, 5_000, 30).orElseThrow().setting().lingerMs()).isEqualTo(25);
        assertThat(targets.of(L4_MODERATE)).isEqualTo(trial);
        window(10_000, 9_000, 40);
        assertThat(window(10_000, 5_000, 30).orElseThrow().setting().lingerMs())
                .isEqualTo(trial.setting().lingerMs());
    }

    @Test
    void neverTriesALingerThatIsShorterThanAnInefficientOne() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        // The first trial is the longest linger and far better. The setting before it, 25 ms, is wasteful now.
        window(10_000, 9_000, 40);
        window(10_000, 5_000, 30);
        for (int i = 0; i < 20; i++) {
            assertThat(targets.of(L4_MODERATE).setting().lingerMs()).isBetween(32.5, 40.0);
            window(10_000, targets.of(L4_MODERATE).trial() ? 8_000 : 9_000, 40);
        }
    }

    @Test
    void triesALingerThatBrokeTheBudgetTwiceAgainAfterSixtyWindows() {
        // The tail of the delays, 20 ms, leaves room for 20 ms of linger. The median leaves room for 36 ms, which break
        // the budget.
        window(10_000, 5_000, 45);
        window(10_000, 5_000, 45);
        assertThat(targets.of(L4_MODERATE).setting().lingerNanos()).isEqualTo(36_000_000);
        window(10_000, 9_000, 60);
        window(10_000, 5_000, 45);
        assertThat(targets.of(L4_MODERATE).setting().lingerNanos()).isEqualTo(36_000_000);
        window(10_000, 9_000, 60);
        List<Integer> triedAt = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            // No trial lasts long enough for a judgement.
            window(targets.of(L4_MODERATE).trial() ? 1_500 : 10_000, 5_000, 45);
            // Nothing within a tenth of that linger is tried earlier.
            if (targets.of(L4_MODERATE).setting().lingerMs() > 33) {
                triedAt.add(i);
            }
        }
        assertThat(triedAt).isNotEmpty().allMatch(i -> i >= 60);
    }

    @Test
    void startsWithTheBestsOfAnEarlierRun() {
        LevelBest known =
                new LevelBest(L4_MODERATE, new BatchSetting(7_000, 33_000_000), 8_000, 8_000, 1_000, 42 * MS, 9, 5, 1);
        learner.opened(Map.of(L4_MODERATE, known));
        assertThat(targets.of(L4_MODERATE)).isEqualTo(exploring(2_000, 33_000_000));
        window(10_000, 8_000, 40);
        LevelBest kept = window(10_000, 8_000, 40).orElseThrow();
        assertThat(kept.observations()).isEqualTo(10);
        assertThat(kept.regressions()).isEqualTo(1);
    }

    @Test
    void triesTheLongestLingerOnceMoreAfterAnEarlierRun() {
        LevelBest known =
                new LevelBest(L4_MODERATE, new BatchSetting(2_000, 3_000_000), 2_000, 2_000, 1_000, 12 * MS, 9, 5, 0);
        learner.opened(Map.of(L4_MODERATE, known));
        window(10_000, 2_000, 12);
        window(10_000, 2_000, 12);
        assertThat(targets.of(L4_MODERATE).setting().lingerMs()).isEqualTo(36);
        window(10_000, 9_000, 45);
        assertThat(window(10_000, 2_000, 12).orElseThrow().setting().lingerMs()).isEqualTo(36);
    }

    @Test
    void keepsItsOwnBestsWhenThoseOfAnEarlierRunArriveLate() {
        window(10_000, 5_000, 30);
        LevelBest own = window(10_000, 5_000, 30).orElseThrow();
        LevelBest late =
                new LevelBest(L4_MODERATE, new BatchSetting(7_000, 33_000_000), 8_000, 8_000, 1_000, 42 * MS, 9, 5, 1);
        LevelBest unknown = new LevelBest(
                PressureLevel.L6_THROUGHPUT, new BatchSetting(700, 21_000_000), 8_000, 8_000, 20_000, 42 * MS, 9, 6, 1);
        BatchTarget inForce = targets.of(L4_MODERATE);
        learner.opened(Map.of(L4_MODERATE, late, PressureLevel.L6_THROUGHPUT, unknown));
        assertThat(targets.of(L4_MODERATE)).isEqualTo(inForce);
        assertThat(targets.of(PressureLevel.L6_THROUGHPUT)).isEqualTo(exploring(700, 21_000_000));
        assertThat(learner.learnedEpochMs()).isEqualTo(own.updatedEpochMs());
        window(10_000, 5_000, 30);
        LevelBest next = window(10_000, 5_000, 30).orElseThrow();
        assertThat(next.observations()).as("windows of this run only").isLessThan(late.observations());
    }

    @Test
    void marksATargetAsBeyondTheBudgetIfNoneKeepsIt() {
        window(10_000, 5_000, 90);
        window(10_000, 5_000, 90);
        assertThat(targets.of(L4_MODERATE).trial()).isTrue();
        assertThat(targets.of(L4_MODERATE).beyondBudget()).isTrue();
    }

    @Test
    void ignoresTheLatencyBeforeARegression() {
        for (int i = 0; i < 6; i++) {
            window(10_000, 5_000, 30);
        }
        while (learner.regressionTotal() == 0) {
            window(10_000, 500, 300);
        }
        BatchTarget trial = targets.of(L4_MODERATE);
        assertThat(trial.trial()).isTrue();
        assertThat(trial.beyondBudget()).isTrue();
        assertThat(trial.setting().lingerNanos())
                .as("one and a half commits of 4 ms")
                .isEqualTo(6_000_000);
    }

    @Test
    void exploresImmediatelyAfterARecovery() {
        while (learner.explorationTotal() < 12) {
            window(10_000, targets.of(L4_MODERATE).trial() ? 1_000 : 5_000, 30);
        }
        assertThat(targets.of(L4_MODERATE).trial()).isTrue();
        window(10_000, 1_000, 30);
        window(10_000, 9_000, 30);
        assertThat(targets.of(L4_MODERATE).trial()).as("one window is noise").isFalse();
        window(10_000, 9_000, 30);
        assertThat(targets.of(L4_MODERATE).trial()).isTrue();
        assertThat(learner.regressionTotal()).isZero();
    }

    @Test
    void learnsNothingFromAWindowWithoutAcknowledgements() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        assertThat(targets.of(L4_MODERATE).trial()).isTrue();
        window(10_000, 9_000, 0);
        assertThat(window(10_000, 5_000, 30).orElseThrow().setting().lingerMs()).isEqualTo(25);
    }

    @Test
    void endsTheTrialOfALevelThatIsLeft() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        assertThat(targets.of(L4_MODERATE).trial()).isTrue();
        window(L5_BALANCED, 2_000, 20_000, 30);
        assertThat(targets.of(L4_MODERATE)).isEqualTo(exploring(2_000, 25_000_000));
    }

    @Test
    void prefersAKnownSettingWithinTheBudgetToOneBeyondIt() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        window(10_000, 9_000, 45);
        window(10_000, 5_000, 30);
        for (int i = 0; i < 12; i++) {
            BatchTarget inForce = targets.of(L4_MODERATE);
            boolean slow = inForce.setting().lingerNanos() > 30_000_000;
            // No trial lasts long enough for a judgement.
            window(inForce.trial() ? 1_500 : 10_000, slow ? 9_000 : 5_000, slow ? 55 : 30);
            assertThat(targets.of(L4_MODERATE).beyondBudget()).isFalse();
        }
        assertThat(window(10_000, 5_000, 30).map(best -> best.setting().lingerMs()))
                .isIn(Optional.empty(), Optional.of(25.0));
    }

    @Test
    void comparesATrialWithTheBestSettingAtItsEnd() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        window(10_000, 7_000, 45);
        window(10_000, 5_000, 30);
        BatchTarget second = targets.of(L4_MODERATE);
        assertThat(second.trial()).isTrue();
        // Worse than the setting just adopted, but better than the best when the trial began.
        window(10_000, 5_600, 20);
        window(10_000, 7_000, 45);
        BatchTarget third = targets.of(L4_MODERATE);
        assertThat(third.trial()).isTrue();
        assertThat(third.setting().lingerNanos())
                .as("does not repeat a worse trial")
                .isLessThan(second.setting().lingerNanos());
    }

    @Test
    void returnsTheScoreOfTheAdoptedSetting() {
        window(10_000, 5_000, 30);
        window(10_000, 5_000, 30);
        window(10_000, 9_000, 45);
        assertThat(window(10_000, 5_000, 30).orElseThrow().scorePerSec()).isEqualTo(9_000);
    }

    @Test
    void ignoresTheServiceRateOfAnOldBest() {
        LevelBest known = new LevelBest(
                L4_MODERATE, new BatchSetting(2_000, 20_000_000), 50_000, 50_000, 1_000, 25 * MS, 9, 1_000_000, 0);
        learner.opened(Map.of(L4_MODERATE, known));
        endMs += 30L * 86_400_000;
        window(10_000, 5_000, 25);
        window(10_000, 5_000, 25);
        assertThat(targets.of(L4_MODERATE).setting().lingerNanos())
                .as("brackets the range again")
                .isEqualTo(36_000_000);
        window(10_000, 5_000, 40);
        window(10_000, 5_000, 25);
        assertThat(learner.regressionTotal()).isZero();
    }
}
