package io.microbatch.connect.calibration;

/**
 * The limits inside which a stored number is believed. They are wide: they are there to stop a damaged or hand-edited
 * file from steering a task, not to judge a measurement. Pure; any thread.
 */
final class Ranges {
    /** The year 2100. A clock beyond it is wrong. */
    static final long MAX_EPOCH_MS = 4_102_444_800_000L;
    /** One day: no window, busy time or acknowledgement delay is longer. */
    static final long MAX_DURATION_MS = 86_400_000L;
    /** Twice the largest latency budget. */
    static final double MAX_LINGER_MS = 60_000;

    static final long MAX_BATCH_TARGET = 1_000_000_000L;
    static final long MAX_COUNT = 1_000_000_000_000_000L;
    static final double MAX_PER_SEC = 1e12;

    private Ranges() {}

    /** Throws IllegalArgumentException naming the value unless it is a number from min to max, both inclusive. */
    static void check(String name, double value, double min, double max) {
        // Written so that NaN, for which every comparison is false, is refused too.
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(name + " is " + value + ", outside " + min + " to " + max);
        }
    }

    /** As {@link #check(String, double, double, double)}, exact for whole numbers. */
    static void checkWhole(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is " + value + ", outside " + min + " to " + max);
        }
    }

    /** The batch target N, linger T and acknowledgement p99 that an observation and a best have in common. */
    static void checkSetting(int batchTargetEvents, double lingerMs, double ackP99Ms) {
        checkWhole("batchTargetEvents", batchTargetEvents, 1, MAX_BATCH_TARGET);
        check("lingerMs", lingerMs, 0, MAX_LINGER_MS);
        check("ackP99Ms", ackP99Ms, 0, MAX_DURATION_MS);
    }
}
