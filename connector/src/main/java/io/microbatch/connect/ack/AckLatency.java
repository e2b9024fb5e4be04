package io.microbatch.connect.ack;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The time from an event's arrival to its acknowledgement, recorded from any thread without waiting, read by the task
 * thread in intervals.
 *
 * <p>Microseconds, two significant digits, up to an hour; longer ones count as an hour.
 */
public final class AckLatency {

    private static final long HIGHEST_MICROS = 3_600_000_000L;
    private static final int DIGITS = 2;

    private final Recorder recorder = new Recorder(1, HIGHEST_MICROS, DIGITS);
    private Histogram interval;

    /** So many events were acknowledged so long after the arrival of the oldest. Any thread. */
    public void record(long latencyNanos, int events) {
        recorder.recordValueWithCount(Math.max(1, Math.min(HIGHEST_MICROS, latencyNanos / 1_000)), events);
    }

    /** What was recorded since the last call; valid until the next one. One thread. */
    public Histogram interval() {
        interval = recorder.getIntervalHistogram(interval);
        return interval;
    }

    /** A histogram that intervals can be added to. */
    public static Histogram total() {
        return new Histogram(1, HIGHEST_MICROS, DIGITS);
    }
}
