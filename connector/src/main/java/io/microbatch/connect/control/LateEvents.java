package io.microbatch.connect.control;

import java.util.Arrays;

/**
 * The part of the events that broke the latency budget, over the last {@value #BATCHES} batches. One thread;
 * nanoseconds.
 *
 * <p>A p99 is a statement about events. A batch whose oldest event is a millisecond late has few late events: those
 * that arrived in its first millisecond. A count of late batches would take them all for late.
 */
final class LateEvents {

    /** One batch of this number may be late as a whole: the budget is a p99. */
    static final int BATCHES = 100;

    private static final double ALLOWED_PART = 0.01;

    /**
     * Late events of a smaller part of the transactions are exceptions, and a shorter linger adds to their number: more
     * transactions wait for each other.
     */
    private static final double MIN_LATE_BATCHES_PART = 0.1;

    private final double[] parts = new double[BATCHES];
    private int next;
    private double sum;
    private int batches;
    private int lateBatches;

    /**
     * Adds a batch.
     *
     * @param worstLatencyNanos the time from the arrival of its oldest event to the acknowledgement
     * @param delayNanos the time from the return of the batch to the acknowledgement, which all its events have
     * @param budgetNanos the latency budget
     */
    void add(long worstLatencyNanos, long delayNanos, long budgetNanos) {
        add(part(worstLatencyNanos, delayNanos, budgetNanos));
    }

    /** Adds a batch of which no event counts as late. */
    void addNone() {
        add(0);
    }

    private void add(double part) {
        batches = Math.min(BATCHES, batches + 1);
        lateBatches += (part > 0 ? 1 : 0) - (parts[next] > 0 ? 1 : 0);
        sum = Math.max(0, sum - parts[next]) + part;
        parts[next] = part;
        next = (next + 1) % BATCHES;
    }

    /** As if events arrived evenly while a batch fills. Those that arrived first are late. */
    private static double part(long worstLatencyNanos, long delayNanos, long budgetNanos) {
        long lateNanos = worstLatencyNanos - budgetNanos;
        if (lateNanos <= 0) {
            return 0;
        }
        return Math.min(1, (double) lateNanos / Math.max(1, worstLatencyNanos - delayNanos));
    }

    /**
     * Whether more than one of a hundred events was late.
     *
     * @param transactional whether batches are transactions. Then late events of a few batches only do not count
     */
    boolean isTooMany(boolean transactional) {
        return sum > ALLOWED_PART * BATCHES && (!transactional || lateBatches >= MIN_LATE_BATCHES_PART * batches);
    }

    /** Forgets all batches. */
    void clear() {
        Arrays.fill(parts, 0);
        sum = 0;
        batches = 0;
        lateBatches = 0;
    }
}
