package io.microbatch.connect.ack;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;
import org.HdrHistogram.Recorder;

/**
 * A histogram of the times from arrival to acknowledgement. Any thread records without waiting; the task thread reads
 * intervals.
 *
 * <p>Microseconds with two significant digits, up to one hour. Longer times count as one hour.
 */
public final class AckLatency {

    private static final long HIGHEST_MICROS = 3_600_000_000L;
    private static final int DIGITS = 2;

    private final Recorder recorder = new Recorder(1, HIGHEST_MICROS, DIGITS);
    private Histogram interval;

    /** Records acknowledged events with the time since the arrival of the oldest one. Any thread. */
    public void record(long latencyNanos, int events) {
        recorder.recordValueWithCount(micros(latencyNanos), events);
    }

    /** The times recorded since the last call. The histogram is valid until the next call. One thread. */
    public Histogram interval() {
        interval = recorder.getIntervalHistogram(interval);
        return interval;
    }

    /** A time in the unit and within the bounds of the histograms. */
    static long micros(long nanos) {
        return Math.max(1, Math.min(HIGHEST_MICROS, nanos / 1_000));
    }

    /** A smaller histogram of the same times, for less than two billion of them. */
    static IntCountsHistogram part() {
        return new IntCountsHistogram(1, HIGHEST_MICROS, DIGITS);
    }

    /** A histogram to which intervals can be added. */
    public static Histogram total() {
        return new Histogram(1, HIGHEST_MICROS, DIGITS);
    }
}
