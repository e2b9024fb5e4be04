package io.microbatch.connect.ack;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The distribution of times over the last minute: of the present ten seconds and of the five times ten seconds before.
 * One thread adds what it has measured, and shows it about once a second. Any thread reads what was shown last. Holds
 * memory only for parts of the minute in which something was measured, because most tasks of a worker may be idle.
 */
public final class LastMinute {

    private static final long PART_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int PARTS = 6;
    private static final long MINUTE_NANOS = PARTS * PART_NANOS;
    private static final double MICROS_PER_MS = 1_000;

    /** A ring. Null for a part without any measurement. */
    private final IntCountsHistogram[] parts = new IntCountsHistogram[PARTS];

    private int present;
    private long partBeganNanos;
    private volatile Shown shown;

    /**
     * Times in milliseconds. Not a number if nothing was measured in that minute.
     *
     * @param p50 the median
     * @param p99 the 99th percentile
     * @param max the longest
     */
    public record Times(double p50, double p99, double max) {

        static final Times UNKNOWN = new Times(Double.NaN, Double.NaN, Double.NaN);
    }

    /** What was shown, and when. */
    private record Shown(Times times, long atNanos) {}

    /** Begins with an empty minute. */
    public LastMinute(long nowNanos) {
        this.partBeganNanos = nowNanos;
        this.shown = new Shown(Times.UNKNOWN, nowNanos);
    }

    /** Adds what was measured since the last call, in microseconds, in the form of {@link AckLatency#total}. */
    public void add(long nowNanos, Histogram micros) {
        advance(nowNanos);
        if (micros.getTotalCount() > 0) {
            part().add(micros);
        }
    }

    /** Adds one time. One that is longer than the histograms hold counts as the longest that they hold. */
    public void add(long nowNanos, long timeNanos) {
        advance(nowNanos);
        part().recordValue(AckLatency.micros(timeNanos));
    }

    /** Shows what was added up to now. */
    public void show(long nowNanos) {
        advance(nowNanos);
        IntCountsHistogram sum = null;
        for (IntCountsHistogram part : parts) {
            if (part != null) {
                sum = sum == null ? AckLatency.part() : sum;
                sum.add(part);
            }
        }
        Times times = sum == null
                ? Times.UNKNOWN
                : new Times(
                        sum.getValueAtPercentile(50) / MICROS_PER_MS,
                        sum.getValueAtPercentile(99) / MICROS_PER_MS,
                        sum.getMaxValue() / MICROS_PER_MS);
        shown = new Shown(times, nowNanos);
    }

    private IntCountsHistogram part() {
        if (parts[present] == null) {
            parts[present] = AckLatency.part();
        }
        return parts[present];
    }

    private void advance(long nowNanos) {
        for (int i = 0; i < PARTS && nowNanos - partBeganNanos >= PART_NANOS; i++) {
            present = (present + 1) % PARTS;
            parts[present] = null;
            partBeganNanos += PART_NANOS;
        }
        if (nowNanos - partBeganNanos >= PART_NANOS) {
            // All parts are empty after a pause of more than a minute.
            partBeganNanos = nowNanos;
        }
    }

    /**
     * The times of the last minute, as of the last {@link #show}. Not a number when that was a minute ago: a task that
     * is paused, or that waits for Kafka, shows nothing. Any thread.
     */
    public Times times(long nowNanos) {
        Shown last = shown;
        return nowNanos - last.atNanos >= MINUTE_NANOS ? Times.UNKNOWN : last.times;
    }
}
