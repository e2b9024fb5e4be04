package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Objects;

/**
 * What one window at one pressure level showed. Immutable; any thread. The constructor throws IllegalArgumentException
 * for a number that is not finite or out of its range, so that nothing absurd is ever stored, nor used after reading.
 *
 * @param windowEndEpochMs end of the window, milliseconds since 1970
 * @param windowMs length of the window, milliseconds
 * @param level the pressure level that the window was spent at
 * @param batchTargetEvents the batch target N in force, events
 * @param lingerMs the linger T in force, milliseconds
 * @param events events handed to Connect in the window
 * @param polls polls that returned a batch
 * @param batches batches, under exactly-once transactions
 * @param busyMs time that the task thread was busy, milliseconds
 * @param capacityPerSec events per busy second: the score
 * @param ackP50Ms median from an event's arrival to its acknowledgement, milliseconds; 0 when none was acknowledged
 * @param ackP99Ms the 99th percentile of the same, milliseconds, at least the median
 * @param feasible whether something was acknowledged, and the p99 was inside the level's latency budget
 * @param explored whether N and T were a trial rather than the best known
 */
public record Observation(
        long windowEndEpochMs,
        long windowMs,
        PressureLevel level,
        int batchTargetEvents,
        double lingerMs,
        long events,
        long polls,
        long batches,
        double busyMs,
        double capacityPerSec,
        double ackP50Ms,
        double ackP99Ms,
        boolean feasible,
        boolean explored) {

    /** Checks every range. */
    public Observation {
        Objects.requireNonNull(level, "level");
        Ranges.checkWhole("windowEndEpochMs", windowEndEpochMs, 1, Ranges.MAX_EPOCH_MS);
        Ranges.checkWhole("windowMs", windowMs, 1, Ranges.MAX_DURATION_MS);
        Ranges.checkSetting(batchTargetEvents, lingerMs, ackP99Ms);
        Ranges.checkWhole("events", events, 0, Ranges.MAX_COUNT);
        Ranges.checkWhole("polls", polls, 0, Ranges.MAX_COUNT);
        Ranges.checkWhole("batches", batches, 0, Ranges.MAX_COUNT);
        Ranges.check("busyMs", busyMs, 0, Ranges.MAX_DURATION_MS);
        Ranges.check("capacityPerSec", capacityPerSec, 0, Ranges.MAX_PER_SEC);
        Ranges.check("ackP50Ms", ackP50Ms, 0, ackP99Ms);
    }
}
