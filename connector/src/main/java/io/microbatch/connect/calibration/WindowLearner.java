package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Map;
import java.util.Optional;

/** Who draws conclusions from the observed windows. Calibration thread, but for the counts; throws nothing. */
public interface WindowLearner {

    /** Draws none: for a task whose settings stand still. */
    WindowLearner NONE = new WindowLearner() {
        @Override
        public void opened(Map<PressureLevel, LevelBest> bests) {
            // What was learned once has no effect on a fixed setting.
        }

        @Override
        public Optional<LevelBest> learn(Observation observation) {
            return Optional.empty();
        }

        @Override
        public long explorationTotal() {
            return 0;
        }

        @Override
        public long regressionTotal() {
            return 0;
        }

        @Override
        public long learnedEpochMs() {
            return 0;
        }
    };

    /**
     * What earlier runs left; called once, when the file has been opened. That is before the first window unless the
     * disk did not answer or a predecessor still held the file; what was learned until then is younger and stays.
     */
    void opened(Map<PressureLevel, LevelBest> bests);

    /** The next window, in order of time; answers what is to be kept of its level, if that has changed. */
    Optional<LevelBest> learn(Observation observation);

    /** Settings that were tried out. Any thread. */
    long explorationTotal();

    /** How often a level fell short of its expected throughput. Any thread. */
    long regressionTotal();

    /** When a setting was last confirmed or replaced, in milliseconds since 1970; 0 before the first. Any thread. */
    long learnedEpochMs();
}
