package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.Objects;

/**
 * The measurements of one window at one pressure level. Immutable; any thread. The constructor throws
 * IllegalArgumentException for a number that is not finite or out of its range, so that none is stored or learned from.
 *
 * @param windowEndEpochMs the end of the window, milliseconds since 1970
 * @param windowMs the length of the window, milliseconds
 * @param level the pressure level during the window
 * @param setting maximum records (N) that was aimed at, and the mean linger (T) that was applied
 * @param events events returned to Connect in the window
 * @param batches batches returned to Connect
 * @param transactions transactions that were committed in the window; 0 in at-least-once mode
 * @param busyNanos the time that the task thread was busy, nanoseconds
 * @param serviceRatePerSec events per busy second: the score
 * @param ackP50Nanos median from an event's arrival to its acknowledgement, nanoseconds; 0 if none was acknowledged
 * @param ackP99Nanos the 99th percentile of the same, nanoseconds, at least the median
 * @param feasible whether something was acknowledged, and the p99 was inside the level's latency budget
 * @param explored whether the setting was a trial rather than the best known one
 */
public record Observation(
        long windowEndEpochMs,
        long windowMs,
        PressureLevel level,
        BatchSetting setting,
        long events,
        long batches,
        long transactions,
        long busyNanos,
        double serviceRatePerSec,
        long ackP50Nanos,
        long ackP99Nanos,
        boolean feasible,
        boolean explored) {

    /** Checks every range. */
    public Observation {
        Objects.requireNonNull(level, "level");
        Ranges.check("windowEndEpochMs", windowEndEpochMs, 1, Ranges.MAX_EPOCH_MS);
        Ranges.check("windowMs", windowMs, 1, Ranges.MAX_DURATION_MS);
        Ranges.check(setting);
        Ranges.check("events", events, 0, Ranges.MAX_COUNT);
        Ranges.check("batches", batches, 0, Ranges.MAX_COUNT);
        Ranges.check("transactions", transactions, 0, Ranges.MAX_COUNT);
        Ranges.check("busyNanos", busyNanos, 0, Ranges.MAX_DURATION_NANOS);
        Ranges.check("serviceRatePerSec", serviceRatePerSec, Ranges.MAX_PER_SEC);
        Ranges.check("ackP99Nanos", ackP99Nanos, 0, Ranges.MAX_DURATION_NANOS);
        Ranges.check("ackP50Nanos", ackP50Nanos, 0, ackP99Nanos);
    }

    /** The arrival rate, events per second. */
    double ratePerSec() {
        return events * 1_000.0 / windowMs;
    }
}
