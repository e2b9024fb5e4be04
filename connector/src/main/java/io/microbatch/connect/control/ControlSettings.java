package io.microbatch.connect.control;

import io.microbatch.connect.pressure.PressureLevel;

/**
 * What the operator set. Immutable.
 *
 * @param maxEvents the most events of a batch; N in fixed mode
 * @param maxBytes B
 * @param fixedLingerNanos T in fixed mode
 * @param latencyTargetMs the cap on every level's budget; {@link Integer#MAX_VALUE} for none
 * @param marginRatio the part of a budget that linger and acknowledgement may use together
 * @param firstEvents the most events of a batch before anything is learned
 * @param packed whether many events share a record, so that a batch of many is not one of many objects
 */
public record ControlSettings(
        int maxEvents,
        long maxBytes,
        long fixedLingerNanos,
        int latencyTargetMs,
        double marginRatio,
        int firstEvents,
        boolean packed) {

    /** Settings of single records that are cheap to keep. */
    public ControlSettings(
            int maxEvents, long maxBytes, long fixedLingerNanos, int latencyTargetMs, double marginRatio) {
        this(maxEvents, maxBytes, fixedLingerNanos, latencyTargetMs, marginRatio, maxEvents, false);
    }

    /** The latency budget of a level under the cap, in milliseconds. */
    public int budgetMs(PressureLevel level) {
        return Math.min(level.budgetMs(), latencyTargetMs);
    }
}
