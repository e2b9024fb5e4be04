package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Map;
import java.util.Optional;

/** Learns from finished windows. Calibration thread, except the counters; throws nothing. */
public interface WindowLearner {

    /** Learns nothing: for a task with a fixed setting. */
    WindowLearner NONE = new WindowLearner() {};

    /**
     * Takes the results of earlier runs. Called once, when the calibration file has been opened: before the first
     * window, unless the disk failed or a predecessor still held the file. Newer results of this run stay.
     */
    default void opened(Map<PressureLevel, LevelBest> bests) {}

    /** Takes the next window, in order of time. Returns its level's best setting if that changed or was confirmed. */
    default Optional<LevelBest> learn(Observation observation) {
        return Optional.empty();
    }

    /** The number of settings that were tried. Any thread. */
    default long explorationTotal() {
        return 0;
    }

    /** The number of times that a level fell short of its expected service rate. Any thread. */
    default long regressionTotal() {
        return 0;
    }

    /** When a setting was last confirmed or replaced, in milliseconds since 1970, or 0 before that. Any thread. */
    default long learnedEpochMs() {
        return 0;
    }

    /** The age of {@link #learnedEpochMs} in seconds. Not a number before that. Any thread. */
    default double learnedAgeSec(long nowEpochMs) {
        long learnedEpochMs = learnedEpochMs();
        return learnedEpochMs == 0 ? Double.NaN : Math.max(0, nowEpochMs - learnedEpochMs) / 1_000.0;
    }
}
