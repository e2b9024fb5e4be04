package io.microbatch.bench.load;

/**
 * An observation window of the task, out of its calibration file. Immutable.
 *
 * @param endEpochMs when it ended
 * @param level the pressure level's number
 * @param batchTargetEvents N
 * @param lingerMs T as it was applied on the average
 * @param batches batches, under exactly-once transactions
 * @param windowMs its length
 * @param capacityPerSec events per busy second
 * @param ackP50Ms arrival to acknowledgement, the median
 * @param ackP99Ms arrival to acknowledgement, 99th percentile
 * @param trial whether the setting was tried out
 */
public record Window(
        long endEpochMs,
        int level,
        int batchTargetEvents,
        double lingerMs,
        long batches,
        long windowMs,
        double capacityPerSec,
        double ackP50Ms,
        double ackP99Ms,
        boolean trial) {}
