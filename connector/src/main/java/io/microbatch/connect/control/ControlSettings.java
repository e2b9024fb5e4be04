package io.microbatch.connect.control;

import io.microbatch.connect.pressure.PressureLevel;

/**
 * The operator's settings. Immutable.
 *
 * @param maxEvents the upper limit of maximum records (N), and N itself in fixed mode
 * @param maxBytes maximum bytes (B)
 * @param fixedLingerNanos linger (T) in fixed mode
 * @param latencyTargetMs the cap on every level's budget, in milliseconds; {@link Integer#MAX_VALUE} for none
 * @param marginRatio the part of a budget that linger and acknowledgement may use together
 * @param firstEvents the upper limit of maximum records (N) before anything is learned
 * @param packed whether a record carries many events, so that a batch of many events consists of few objects
 */
public record ControlSettings(
        int maxEvents,
        long maxBytes,
        long fixedLingerNanos,
        int latencyTargetMs,
        double marginRatio,
        int firstEvents,
        boolean packed) {

    /** The latency budget of a level under the cap, in milliseconds. */
    public int budgetMs(PressureLevel level) {
        return Math.min(level.budgetMs(), latencyTargetMs);
    }
}
