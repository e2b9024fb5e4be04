package io.microbatch.connect.control;

import java.util.Arrays;

/**
 * Quantiles of the last acknowledgement delays: of at most {@value #CAPACITY} batches and {@value #MAX_AGE_MS} ms. One
 * thread; nanoseconds.
 *
 * <p>The window is small so that the fast loop sees a slow broker within a few batches and forgets a pause within
 * seconds.
 */
public final class DelayWindow {

    private static final int CAPACITY = 128;
    private static final long MAX_AGE_MS = 10_000;
    private static final long MAX_AGE_NANOS = MAX_AGE_MS * 1_000_000;

    private static final long FRESH_NANOS = 2_000_000_000;

    private final long[] delays = new long[CAPACITY];
    private final long[] times = new long[CAPACITY];
    private final long[] sorted = new long[CAPACITY];
    private long added;
    private long lastNanos;
    private boolean isSorted;
    private int live;

    /** Creates an empty window. */
    public DelayWindow() {}

    /** Adds the delay of an acknowledgement that came now. */
    public void add(long nowNanos, long delayNanos) {
        int slot = (int) (added++ % CAPACITY);
        delays[slot] = delayNanos;
        times[slot] = nowNanos;
        lastNanos = nowNanos;
        isSorted = false;
    }

    private void sort() {
        live = 0;
        long kept = Math.min(added, CAPACITY);
        for (int i = 0; i < kept; i++) {
            if (lastNanos - times[i] <= MAX_AGE_NANOS) {
                sorted[live++] = delays[i];
            }
        }
        Arrays.sort(sorted, 0, live);
        isSorted = true;
    }

    /**
     * The same as {@link #quantileNanos}, but 0 if no delay was added for more than two seconds: then it says little
     * about the next one.
     */
    public long freshQuantileNanos(long nowNanos, double quantile) {
        return added > 0 && nowNanos - lastNanos <= FRESH_NANOS ? quantileNanos(quantile) : 0;
    }

    /** The delay at this quantile, from 0 to 1. It is 0 before the first delay. */
    public long quantileNanos(double quantile) {
        if (!isSorted) {
            sort();
        }
        if (live == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(quantile * live);
        return sorted[Math.max(0, Math.min(live, rank) - 1)];
    }
}
