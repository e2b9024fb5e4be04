package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Map;
import java.util.Optional;

/** Learns from finished windows. Calibration thread, except the counters; throws nothing. */
public interface WindowLearner {

    /** Learns nothing: for a task with a fixed setting. */
    WindowLearner NONE = new WindowLearner() {};

    /**
     * Takes what earlier runs learned. Called once, when the calibration file has been opened: before the first window,
     * unless the disk failed or a predecessor still held the file. What was learned until then is younger and stays.
     */
    default void opened(Map<PressureLevel, LevelBest> bests) {}

    /** Takes the next window, in order of time; returns the best setting of its level if there is news of it. */
    default Optional<LevelBest> learn(Observation observation) {
        return Optional.empty();
    }

    /** The number of settings that were tried. Any thread. */
    default long explorationTotal() {
        return 0;
    }

    /** The number of times that a level fell short of its expected throughput. Any thread. */
    default long regressionTotal() {
        return 0;
    }

    /**
     * When a setting was last confirmed or replaced, in milliseconds since 1970; 0 before the first time. Any thread.
     */
    default long learnedEpochMs() {
        return 0;
    }
}
