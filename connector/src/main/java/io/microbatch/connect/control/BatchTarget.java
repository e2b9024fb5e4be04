package io.microbatch.connect.control;

/**
 * What a pressure level aims at, before the fast loop fits it to the budget. Immutable.
 *
 * @param batchTargetEvents N
 * @param lingerNanos T
 * @param trial whether it is tried out for a window rather than the best known
 * @param beyondBudget whether T stands although it may break the budget, because no setting has been seen to keep it
 */
public record BatchTarget(int batchTargetEvents, long lingerNanos, boolean trial, boolean beyondBudget) {

    private static final long EVENTS_PER_BUDGET_MS = 1_000;
    /** Larger batches live through garbage collections and fall out of the caches, which costs more than it saves. */
    private static final int MOST_EVENTS = 20_000;

    /** The best known setting of a level whose budget can be kept. */
    public static BatchTarget best(int batchTargetEvents, long lingerNanos) {
        return new BatchTarget(batchTargetEvents, lingerNanos, false, false);
    }

    /**
     * What a level begins with before anything is learned: a thousand events per millisecond of the budget, at most
     * {@value #MOST_EVENTS}, and a linger of this part of the budget.
     */
    public static BatchTarget bootstrap(int budgetMs, double lingerRatio) {
        return best(
                (int) Math.min(MOST_EVENTS, budgetMs * EVENTS_PER_BUDGET_MS), Math.round(lingerRatio * 1e6 * budgetMs));
    }
}
