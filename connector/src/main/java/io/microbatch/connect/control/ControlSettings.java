package io.microbatch.connect.control;

import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * The operator's settings. Immutable.
 *
 * @param maxEvents the upper limit of maximum records (N), and N itself in fixed mode
 * @param maxBytes maximum bytes (B)
 * @param fixedLingerNanos linger (T) in fixed mode
 * @param budgets the latency budget of every level
 * @param margin the part of a budget that linger and acknowledgement may use together
 * @param firstBySize whether maximum records (N) depend on the size of an event before anything is learned
 * @param packed whether a record carries many events, so that a batch of many events consists of few objects
 */
public record ControlSettings(
        int maxEvents,
        long maxBytes,
        long fixedLingerNanos,
        LatencyBudgets budgets,
        Margin margin,
        boolean firstBySize,
        boolean packed) {

    /** The latency budget of a level, in nanoseconds. */
    public long budgetNanos(PressureLevel level) {
        return budgets.budgetMs(level) * 1_000_000L;
    }
}
