package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests one level. {@link LearnerTest} tests several levels together. */
class LevelLearnerTest {

    private static final long MS = 1_000_000;
    private static final PressureLevel LEVEL = PressureLevel.L4_MODERATE;
    private static final ControlSettings SETTINGS = new ControlSettings(
            1_500, 1 << 20, 0, new LatencyBudgets(0, Integer.MAX_VALUE), Margin.DEFAULT, false, false);
    private BatchSetting first = new BatchSetting(2_000, 25_000_000);
    private Runnable duringWindow = () -> {};

    private final LevelLearner learner = new LevelLearner(
            LEVEL, new LearnerSettings(SETTINGS, Objective.EFFICIENCY, 10_000), () -> first, new SplittableRandom(3));
    private long endMs = 1_000_000;

    /** The part of the linger that the fast loop applies. */
    private double appliedPart = 1;

    /** The N that is applied in a trial, 0 for the one that is asked for. */
    private int triedEvents;

    private Optional<LevelBest> window(long batches, double serviceRate, double p99Ms) {
        return window(10_000, batches, serviceRate, p99Ms);
    }

    /** A window at a thousand events per second with the target in force. */
    private Optional<LevelBest> window(long windowMs, long batches, double serviceRate, double p99Ms) {
        BatchTarget inForce = learner.target();
        duringWindow.run();
        endMs += windowMs;
        return learner.learn(new Observation(
                endMs,
                windowMs,
                LEVEL,
                new BatchSetting(
                        inForce.trial() && triedEvents > 0
                                ? triedEvents
                                : inForce.setting().maxEvents(),
                        (long) (appliedPart * inForce.setting().lingerNanos())),
                windowMs,
                batches,
                batches,
                4_000 * MS,
                serviceRate,
                (long) (Math.min(1, p99Ms) * MS),
                (long) (p99Ms * MS),
                p99Ms > 0 && p99Ms <= 50,
                inForce.trial()));
    }

    @Test
    void limitsTheBootstrapTargetToTheMaximumBatch() {
        assertThat(learner.target().setting()).isEqualTo(new BatchSetting(1_500, 25_000_000));
    }

    @Test
    void beginsWithTheFirstSettingThatHoldsWhenItLearns() {
        first = new BatchSetting(1_200, 25_000_000);
        assertThat(learner.target())
                .isEqualTo(BatchTarget.first(first, learner.target().exploring()));
        window(100, 5_000, 20);
        window(100, 5_000, 20);
        first = new BatchSetting(700, 25_000_000);

        learner.left();
        assertThat(learner.target().first()).isFalse();
        assertThat(learner.target().setting().maxEvents()).isEqualTo(1_200);
    }

    @Test
    void aWindowInWhichTheFirstSettingChangesTeachesNothing() {
        window(100, 5_000, 20);
        duringWindow = () -> first = new BatchSetting(700, 25_000_000);
        assertThat(window(100, 5_000, 20)).isEmpty();
        assertThat(learner.target().first()).isTrue();
        duringWindow = () -> {};

        window(100, 5_000, 20);
        learner.left();
        assertThat(learner.target().first()).isFalse();
        assertThat(learner.target().setting().maxEvents()).isEqualTo(700);
    }

    @Test
    void limitsAResumedTargetToTheMaximumBatch() {
        learner.resume(new LevelBest(
                LEVEL, new BatchSetting(9_000, 12_500_000), 5_000, 5_000, 1_000, 20 * MS, 77, 900_000, 4));

        assertThat(learner.target()).isEqualTo(BatchTarget.best(1_500, 12_500_000));
        assertThat(learner.target().exploring()).isFalse();
        assertThat(window(100, 5_000, 20))
                .as("the first window has no predecessor")
                .isEmpty();
        LevelBest news = window(100, 5_000, 20).orElseThrow();
        assertThat(news.observations()).isEqualTo(78);
        assertThat(news.regressions()).isEqualTo(4);
        assertThat(news.setting().lingerMs()).isEqualTo(12.5);
        assertThat(news.updatedEpochMs()).isEqualTo(endMs);
    }

    @ParameterizedTest
    @CsvSource({"9, 5", "10, 2"})
    void continuesTheFirstTrialsThatAnEarlierRunDidNotFinish(long observations, long trials) {
        learner.resume(new LevelBest(
                LEVEL, new BatchSetting(1_500, 6_000_000), 5_000, 5_000, 1_000, 20 * MS, observations, 900_000, 0));

        for (int i = 0; i < 11; i++) {
            window(100, 5_000, 20);
        }

        assertThat(learner.explorations()).isEqualTo(trials);
    }

    @Test
    void prefersItsOwnBestToAResumedOne() {
        window(100, 5_000, 30);
        window(100, 5_000, 30);
        learner.resume(
                new LevelBest(LEVEL, new BatchSetting(700, 1_000_000), 5_000, 5_000, 1_000, 20 * MS, 77, 900_000, 4));

        learner.left();
        assertThat(learner.target().setting().lingerNanos()).isEqualTo(25_000_000);
        assertThat(window(100, 5_000, 30).orElseThrow().regressions()).isZero();
    }

    @Test
    void learnsNothingFromTwoBatchesOrWithoutAcknowledgements() {
        window(100, 5_000, 30);
        assertThat(window(2, 5_000, 30)).isEmpty();
        assertThat(window(100, 5_000, 0)).isEmpty();
        assertThat(window(3, 5_000, 30)).isPresent();
    }

    @Test
    void endsItsTrialWhenAnotherLevelIsInForce() {
        window(100, 5_000, 30);
        window(100, 5_000, 30);
        assertThat(learner.target().trial()).isTrue();
        assertThat(learner.explorations()).isEqualTo(1);

        learner.left();

        assertThat(learner.target().setting()).isEqualTo(new BatchSetting(1_500, 25_000_000));
        assertThat(learner.target().trial()).isFalse();
    }

    @Test
    void exploresInWindowsOfTwoSecondsWithTwentyBatches() {
        window(2_000, 20, 5_000, 30);
        assertThat(window(2_000, 19, 5_000, 30)).isEmpty();
        assertThat(window(1_700, 20, 5_000, 30)).isEmpty();
        assertThat(window(2_000, 20, 5_000, 30)).isPresent();
        assertThat(learner.target().trial()).isTrue();
        window(2_000, 20, 5_000, 30);
        assertThat(learner.target().exploring()).isTrue();
    }

    @Test
    void takesOnlyWholeWindowsAfterTheFirstTrials() {
        int windows = 0;
        while (learner.target().exploring()) {
            window(2_000, 20, 5_000, 30);
            windows++;
        }
        assertThat(windows).isBetween(10, 20);
        assertThat(learner.explorations()).isBetween(4L, 8L);
        learner.left();
        assertThat(window(2_000, 100, 5_000, 30)).isEmpty();
        window(10_000, 100, 5_000, 30);
        learner.left();
        assertThat(window(10_000, 100, 5_000, 30)).isPresent();
    }

    /** Where the rate changes from second to second, whole windows may be steady. */
    @Test
    void returnsToWholeWindowsIfNoShortOneIsSteady() {
        for (int i = 0; i < 30; i++) {
            assertThat(learner.target().exploring()).isTrue();
            assertThat(window(2_000, 19, 5_000, 30)).isEmpty();
        }
        assertThat(learner.target().exploring()).isFalse();
        window(10_000, 100, 5_000, 30);
        assertThat(learner.target().trial()).isTrue();
    }

    @Test
    void exploresByShortWindowsAgainAfterARegression() {
        while (learner.target().exploring()) {
            window(100, 5_000, 30);
        }
        for (double serviceRate : new double[] {5_000, 500, 500}) {
            assertThat(learner.target().exploring()).isFalse();
            // Without its trial: every window is one of the best setting.
            learner.left();
            window(100, serviceRate, 30);
        }
        assertThat(learner.hasRegressed()).isTrue();
        assertThat(learner.target().exploring()).isTrue();
    }

    @Test
    void seesNoRegressionInShortWindows() {
        for (double serviceRate : new double[] {5_000, 5_000, 4_000, 4_000}) {
            assertThat(learner.target().exploring()).isTrue();
            // Without its trial: every window is one of the best setting.
            learner.left();
            window(2_000, 20, serviceRate, 30);
            assertThat(learner.hasRegressed()).isFalse();
        }
    }

    @Test
    void reportsARegressionInOneWindow() {
        for (int i = 0; i < 6; i++) {
            window(100, 5_000, 30);
            assertThat(learner.hasRegressed()).isFalse();
        }
        int windows = 0;
        Optional<LevelBest> news = Optional.empty();
        while (!learner.hasRegressed() && windows++ < 30) {
            news = window(100, 500, 300);
        }
        assertThat(learner.hasRegressed()).isTrue();
        assertThat(news.orElseThrow().regressions()).isEqualTo(1);

        window(100, 500, 300);
        assertThat(learner.hasRegressed()).isFalse();
    }

    /** A task that catches up has a shorter p99 from window to window, at any linger. */
    @ParameterizedTest
    @CsvSource({"100, 25", "349, 25", "351, 60", "700, 60"})
    void believesNoTrialIfThePercentilesBeforeAndAfterItDiffer(double afterMs, double lingerMs) {
        window(100, 5_000, 700);
        window(100, 5_000, 700);
        assertThat(learner.target())
                .isEqualTo(new BatchTarget(new BatchSetting(1_500, 60 * MS), true, true, true, false));
        window(100, 5_000, 300);
        window(100, 5_000, afterMs);

        learner.left();
        assertThat(learner.target().setting().lingerMs()).isEqualTo(lingerMs);
    }

    /** The p99 before the trial is that of another setting, and says nothing of a change of the machine. */
    @Test
    void comparesNoPercentilesOfTwoSettings() {
        window(100, 5_000, 700);
        window(100, 5_000, 700);
        BatchSetting first = learner.target().setting();
        window(100, 5_000, 200);
        // The trial becomes the best, and the next one begins at once.
        window(100, 5_000, 700);
        assertThat(learner.target().trial()).isTrue();
        BatchSetting second = learner.target().setting();
        assertThat(second).isNotEqualTo(first);
        window(100, 5_000, 60);
        LevelBest news = window(100, 5_000, 200).orElseThrow();

        assertThat(news.setting()).isEqualTo(second);
    }

    /** The next trial may be thirty windows away. */
    @Test
    void choosesAgainAfterATrialThatSaysNothing() {
        window(100, 5_000, 700);
        window(100, 5_000, 700);
        BatchSetting tried = learner.target().setting();
        window(100, 5_000, 620);
        window(100, 5_000, 700);
        learner.left();
        window(100, 5_000, 1_000);
        assertThat(learner.target().trial())
                .as("the first trial was not clearly better")
                .isTrue();
        window(100, 5_000, 900);

        // More than twice the p99 before the trial. With it the median of the best setting's is 850 ms.
        LevelBest news = window(100, 5_000, 2_100).orElseThrow();
        assertThat(news.setting()).isEqualTo(tried);
    }

    /** The fast loop shortens it again and again, so that what is asked for is never seen. */
    @Test
    void doesNotRepeatATrialThatIsAppliedAsAnotherOne() {
        window(100, 5_000, 30);
        window(100, 5_000, 30);
        BatchSetting asked = learner.target().setting();
        window(100, 9_000, 60);
        Set<BatchSetting> later = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            appliedPart = learner.target().setting().isLike(asked) ? 1 / 1.2 : 1;
            if (learner.target().trial()) {
                later.add(learner.target().setting());
            }
            window(100, 5_000, 30);
        }
        assertThat(later).hasSizeGreaterThan(2);
    }

    /** Where less than half an event is expected within the linger, the fast loop applies none, in a trial neither. */
    @Test
    void learnsNothingFromATrialThatWaitsAsLittleAsItsNeighbours() {
        appliedPart = 0;
        for (int i = 0; i < 60; i++) {
            window(100, 5_000, 30);
        }
        assertThat(learner.explorations()).isGreaterThan(4);
        learner.left();
        assertThat(learner.target().setting().lingerMs()).isEqualTo(25);
    }

    @Test
    void learnsFromATrialWithoutALingerBetweenWindowsWithOne() {
        for (int i = 0; i < 60; i++) {
            appliedPart = learner.target().trial() ? 0 : 1;
            window(100, 5_000, 30);
        }
        learner.left();
        assertThat(learner.target().setting().lingerMs()).isZero();
    }

    /** Without a linger a batch may still be full, and another N may be tried. */
    @Test
    void learnsFromATrialOfAnotherNWithoutALinger() {
        appliedPart = 0;
        triedEvents = 700;
        for (int i = 0; i < 60; i++) {
            window(100, 5_000, 30);
        }
        learner.left();
        assertThat(learner.target().setting()).isEqualTo(new BatchSetting(700, 0));
    }

    @Test
    void triesNothingWhileItsBestBeginsToKeepTheBudget() {
        window(100, 5_000, 700);
        window(100, 5_000, 700);
        learner.left();
        assertThat(learner.explorations()).isEqualTo(1);

        window(100, 5_000, 50);
        assertThat(learner.explorations()).isEqualTo(1);
        assertThat(learner.target().beyondBudget()).isTrue();
        window(100, 5_000, 50);
        assertThat(learner.explorations()).isEqualTo(2);
        assertThat(learner.target().beyondBudget()).isFalse();
    }
}
