package io.microbatch.connect.control;

import io.microbatch.connect.pressure.BootstrapTarget;

/**
 * What a pressure level aims at, before the fast loop fits it to the budget. Immutable.
 *
 * @param batchTargetEvents N
 * @param lingerNanos T
 * @param trial whether it is tried out for a window rather than the best known
 * @param beyondBudget whether T stands although it may break the budget, because no setting has been seen to keep it
 */
public record BatchTarget(int batchTargetEvents, long lingerNanos, boolean trial, boolean beyondBudget) {

    /** The best known setting of a level whose budget can be kept. */
    public static BatchTarget best(int batchTargetEvents, long lingerNanos) {
        return new BatchTarget(batchTargetEvents, lingerNanos, false, false);
    }

    /** What a level begins with before anything is learned: see {@link BootstrapTarget#of}. */
    public static BatchTarget bootstrap(int budgetMs, double lingerRatio) {
        BootstrapTarget target = BootstrapTarget.of(budgetMs, lingerRatio);
        return best(target.batchTargetEvents(), target.lingerNanos());
    }
}
