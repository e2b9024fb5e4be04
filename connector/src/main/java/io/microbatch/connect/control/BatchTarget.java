package io.microbatch.connect.control;

import io.microbatch.connect.pressure.PressureLevel;

/**
 * What a pressure level aims at, before the fast loop fits it to the budget. Immutable.
 *
 * @param batchTargetEvents N
 * @param lingerNanos T
 */
public record BatchTarget(int batchTargetEvents, long lingerNanos) {

    private static final int EVENTS_PER_BUDGET_MS = 1_000;

    /** What a level begins with before anything is learned: a thousand events per millisecond, half the budget. */
    public static BatchTarget bootstrap(PressureLevel level) {
        return new BatchTarget(level.budgetMs() * EVENTS_PER_BUDGET_MS, level.budgetMs() * 500_000L);
    }
}
