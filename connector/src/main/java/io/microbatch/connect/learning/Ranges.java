package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.BatchSetting;

/**
 * The limits inside which a number is accepted. They are wide: they keep a damaged or edited file from steering a task,
 * and do not judge a measurement. Pure; any thread.
 */
final class Ranges {
    /** The year 2100. A clock beyond it is wrong. */
    static final long MAX_EPOCH_MS = 4_102_444_800_000L;
    /** One day: no window, busy time or acknowledgement delay is longer. */
    static final long MAX_DURATION_MS = 86_400_000L;

    static final long MAX_DURATION_NANOS = MAX_DURATION_MS * 1_000_000;
    static final long MAX_COUNT = 1_000_000_000_000_000L;
    static final double MAX_PER_SEC = 1e12;

    /** Twice the largest latency budget. */
    private static final long MAX_LINGER_NANOS = 60_000_000_000L;

    private static final long MAX_EVENTS = 1_000_000_000L;

    private Ranges() {}

    /** Throws IllegalArgumentException with the name unless the value is a number from 0 to max, both inclusive. */
    static void check(String name, double value, double max) {
        // This form rejects NaN too, for which every comparison is false.
        if (!(value >= 0 && value <= max)) {
            throw new IllegalArgumentException(name + " is " + value + ", outside 0 to " + max);
        }
    }

    /** As {@link #check(String, double, double)}, exact for whole numbers. */
    static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is " + value + ", outside " + min + " to " + max);
        }
    }

    static void check(BatchSetting setting) {
        check("maxEvents", setting.maxEvents(), 1, MAX_EVENTS);
        check("lingerNanos", setting.lingerNanos(), 0, MAX_LINGER_NANOS);
    }
}
