package io.microbatch.connect.control;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * When the next batch is ready: {@code events >= N, or bytes >= B, or age of the oldest event >= T}. Immutable.
 *
 * @param target what the level aims at, before it was fitted to the budget
 * @param level the pressure level that the target belongs to
 * @param budgetMs the latency budget in force, in milliseconds
 * @param attainable whether the margin of the budget leaves room for a usual acknowledgement, and learning did not find
 *     that no setting keeps the budget; always true in fixed mode
 * @param setting maximum records (N) and linger (T) in force; the linger counts from the arrival of the oldest buffered
 *     event
 * @param aimedEvents maximum records (N) that is aimed at, before slow commits make it smaller for as long as they last
 * @param maxBytes maximum bytes (B)
 * @param quietNanos the time without an arrival after which the batch is returned before its linger ends
 * @param pacingNanos the minimum time between the last acknowledged transaction and the start of the next one
 * @param stripeLimitEvents the maximum number of events that each stripe holds, within its size
 */
public record Decision(
        BatchTarget target,
        PressureLevel level,
        int budgetMs,
        boolean attainable,
        BatchSetting setting,
        int aimedEvents,
        long maxBytes,
        long quietNanos,
        long pacingNanos,
        int stripeLimitEvents) {

    /** A stripe limit that lets stripes use their whole size. */
    public static final int WHOLE_STRIPE = Integer.MAX_VALUE;

    /** For a batch that waits for its whole linger even if no events arrive. */
    public static final long NEVER_QUIET_NANOS = Long.MAX_VALUE / 4;
}
