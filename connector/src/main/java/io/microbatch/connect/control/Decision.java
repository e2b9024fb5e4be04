package io.microbatch.connect.control;

import io.microbatch.connect.pressure.PressureLevel;

/**
 * When the next batch is ripe: {@code events >= N, or bytes >= B, or age of the oldest event >= T}. Immutable.
 *
 * @param target what the level aims at, before it was fitted to the budget
 * @param level the pressure level that it belongs to
 * @param budgetMs the latency budget in force, in milliseconds
 * @param attainable whether the margin of the budget leaves room for a usual acknowledgement, and it was not learned that
 *     no setting keeps it; true where nobody keeps a budget
 * @param batchTargetEvents N
 * @param batchTargetBytes B
 * @param lingerNanos T, counted from the arrival of the oldest buffered event
 * @param quietNanos after how long without an arrival the batch goes without waiting for T
 * @param pacingNanos how long after the last acknowledged transaction the next one may begin at the earliest
 * @param stripeLimitEvents the most events that each stripe is to hold, if it has room for them
 */
public record Decision(
        BatchTarget target,
        PressureLevel level,
        int budgetMs,
        boolean attainable,
        int batchTargetEvents,
        long batchTargetBytes,
        long lingerNanos,
        long quietNanos,
        long pacingNanos,
        int stripeLimitEvents) {

    /** For stripes that are to use all the room they have. */
    public static final int WHOLE_STRIPE = Integer.MAX_VALUE;

    /** For a batch that waits until T, whether anything arrives or not. */
    public static final long NEVER_QUIET_NANOS = Long.MAX_VALUE / 4;

    /** T in milliseconds. */
    public double lingerMs() {
        return lingerNanos / 1e6;
    }
}
