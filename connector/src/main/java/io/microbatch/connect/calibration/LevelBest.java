package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Objects;

/**
 * The best setting known for a pressure level. Immutable; any thread. The constructor throws IllegalArgumentException
 * for a number that is not finite or out of its range.
 *
 * @param level the pressure level
 * @param batchTargetEvents the batch target N, events
 * @param lingerMs the linger T, milliseconds
 * @param scorePerSec capacity at this setting, events per busy second
 * @param expectedThroughputPerSec exponential moving average of the score, events per busy second
 * @param arrivalsPerSec the arrival rate that the expectation holds for, events per second: a level is a wide band
 * @param ackP99Ms p99 from arrival to acknowledgement at this setting, milliseconds
 * @param observations windows that support it
 * @param updatedEpochMs when it was last confirmed or replaced, milliseconds since 1970
 * @param regressions how often the level fell below its expectation
 */
public record LevelBest(
        PressureLevel level,
        int batchTargetEvents,
        double lingerMs,
        double scorePerSec,
        double expectedThroughputPerSec,
        double arrivalsPerSec,
        double ackP99Ms,
        long observations,
        long updatedEpochMs,
        long regressions) {

    /** Checks every range. */
    public LevelBest {
        Objects.requireNonNull(level, "level");
        Ranges.checkSetting(batchTargetEvents, lingerMs, ackP99Ms);
        Ranges.check("scorePerSec", scorePerSec, 0, Ranges.MAX_PER_SEC);
        Ranges.check("expectedThroughputPerSec", expectedThroughputPerSec, 0, Ranges.MAX_PER_SEC);
        Ranges.check("arrivalsPerSec", arrivalsPerSec, 0, Ranges.MAX_PER_SEC);
        Ranges.checkWhole("observations", observations, 0, Ranges.MAX_COUNT);
        Ranges.checkWhole("updatedEpochMs", updatedEpochMs, 1, Ranges.MAX_EPOCH_MS);
        Ranges.checkWhole("regressions", regressions, 0, Ranges.MAX_COUNT);
    }
}
