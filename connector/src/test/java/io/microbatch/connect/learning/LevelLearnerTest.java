package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests one level. {@link LearnerTest} tests several levels together. */
class LevelLearnerTest {

    private static final long MS = 1_000_000;
    private static final PressureLevel LEVEL = PressureLevel.L4_MODERATE;
    private static final ControlSettings SETTINGS = new ControlSettings(
            1_500, 1 << 20, 0, new LatencyBudgets(0, Integer.MAX_VALUE), Margin.DEFAULT, 1_500, false);
    private static final BatchTarget BOOTSTRAP = BatchTarget.best(2_000, 25_000_000);

    private final LevelLearner learner = new LevelLearner(
            LEVEL, new LearnerSettings(SETTINGS, Objective.EFFICIENCY, 10_000), BOOTSTRAP, new SplittableRandom(3));
    private long endMs = 1_000_000;

    private Optional<LevelBest> window(long batches, double serviceRate, double p99Ms) {
        BatchTarget inForce = learner.target();
        endMs += 10_000;
        return learner.learn(new Observation(
                endMs,
                10_000,
                LEVEL,
                inForce.setting(),
                10_000,
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
        assertThat(learner.target()).isEqualTo(BatchTarget.best(1_500, 25_000_000));
    }

    @Test
    void limitsAResumedTargetToTheMaximumBatch() {
        learner.resume(new LevelBest(
                LEVEL, new BatchSetting(9_000, 12_500_000), 5_000, 5_000, 1_000, 20 * MS, 77, 900_000, 4));

        assertThat(learner.target()).isEqualTo(BatchTarget.best(1_500, 12_500_000));
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

        assertThat(learner.target()).isEqualTo(BatchTarget.best(1_500, 25_000_000));
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
}
