package io.microbatch.connect.pressure;

import java.util.OptionalInt;

/**
 * The latency budget of every pressure level: the level's own budget, but at least the minimum and at most the maximum.
 * Immutable; any thread.
 *
 * @param minMs the smallest budget, in milliseconds
 * @param maxMs the largest budget, in milliseconds
 */
public record LatencyBudgets(int minMs, int maxMs) {

    /**
     * The smallest budget if the operator sets no target. Within a shorter one, transactions follow each other so
     * quickly that they delay each other.
     */
    public static final int DEFAULT_MIN_MS = 30;

    /**
     * The largest budget if the operator sets no target. A longer linger saves little CPU, and costs hundreds of
     * milliseconds.
     */
    public static final int DEFAULT_MAX_MS = 75;

    /** The budgets of a connector without a latency target. */
    public static final LatencyBudgets DEFAULT = new LatencyBudgets(DEFAULT_MIN_MS, DEFAULT_MAX_MS);

    /**
     * The budgets under an operator's settings. Without a target, levels keep their budgets from
     * {@value #DEFAULT_MIN_MS} to {@value #DEFAULT_MAX_MS} ms. With the objective efficiency a target is the budget of
     * every level, because an operator who accepts that latency wants no more transactions than it needs. With the
     * objective latency it replaces the largest budget.
     *
     * @param targetMs {@code latency.target.ms}, or empty if it is not set
     */
    public static LatencyBudgets of(OptionalInt targetMs, Objective objective) {
        if (targetMs.isEmpty()) {
            return DEFAULT;
        }
        int target = targetMs.getAsInt();
        int min = objective == Objective.EFFICIENCY ? target : Math.min(DEFAULT_MIN_MS, target);
        return new LatencyBudgets(min, target);
    }

    /** The budget of a level, in milliseconds. */
    public int budgetMs(PressureLevel level) {
        return Math.max(minMs, Math.min(level.budgetMs(), maxMs));
    }
}
