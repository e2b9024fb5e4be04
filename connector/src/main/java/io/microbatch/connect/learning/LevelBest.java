package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.Objects;

/**
 * The best known setting of a pressure level. Immutable; any thread. The constructor throws IllegalArgumentException
 * for a number that is not finite or out of its range.
 *
 * @param level the pressure level
 * @param setting maximum records (N) and linger (T)
 * @param scorePerSec the service rate with this setting, events per busy second
 * @param expectedPerSec exponential moving average of the score, events per busy second
 * @param arrivalsPerSec the arrival rate for which the expectation holds, events per second: a level is a wide band
 * @param ackP99Nanos p99 from arrival to acknowledgement with this setting, nanoseconds
 * @param observations the number of windows that support the setting
 * @param updatedEpochMs when the setting was last confirmed or replaced, milliseconds since 1970
 * @param regressions the number of times that the level fell short of its expectation
 */
public record LevelBest(
        PressureLevel level,
        BatchSetting setting,
        double scorePerSec,
        double expectedPerSec,
        double arrivalsPerSec,
        long ackP99Nanos,
        long observations,
        long updatedEpochMs,
        long regressions) {

    /** Checks every range. */
    public LevelBest {
        Objects.requireNonNull(level, "level");
        Ranges.check(setting);
        Ranges.check("scorePerSec", scorePerSec, Ranges.MAX_PER_SEC);
        Ranges.check("expectedPerSec", expectedPerSec, Ranges.MAX_PER_SEC);
        Ranges.check("arrivalsPerSec", arrivalsPerSec, Ranges.MAX_PER_SEC);
        Ranges.check("ackP99Nanos", ackP99Nanos, 0, Ranges.MAX_DURATION_NANOS);
        Ranges.check("observations", observations, 0, Ranges.MAX_COUNT);
        Ranges.check("updatedEpochMs", updatedEpochMs, 1, Ranges.MAX_EPOCH_MS);
        Ranges.check("regressions", regressions, 0, Ranges.MAX_COUNT);
    }
}
