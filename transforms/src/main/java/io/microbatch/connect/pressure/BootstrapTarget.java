package io.microbatch.connect.pressure;

/**
 * What the adaptive task aims at before it has learned anything. Immutable.
 *
 * @param batchTargetEvents N: the number of events that ends a batch at once
 * @param lingerNanos T: the longest that an event is held back
 */
public record BootstrapTarget(int batchTargetEvents, long lingerNanos) {

    /** The part of a budget that T begins with where the least cost per event is wanted. */
    public static final double EFFICIENCY_LINGER_RATIO = 0.5;

    /** The part of a budget that T begins with where the least latency is wanted. */
    public static final double LATENCY_LINGER_RATIO = 0.1;

    private static final long EVENTS_PER_BUDGET_MS = 1_000;

    /**
     * The most that N of a hosted connector begins with. A change event is dozens of objects, and all that is in flight is copied by every
     * collection of the garbage collector.
     */
    public static final int MOST_HOSTED_EVENTS = 2_000;

    /** Larger batches live through garbage collections and fall out of the caches, which costs more than it saves. */
    private static final int MOST_EVENTS = 20_000;

    /**
     * A thousand events per millisecond of the budget, at most {@value #MOST_EVENTS}, and a linger of this part of the
     * budget.
     *
     * @param budgetMs the latency budget, in milliseconds
     */
    public static BootstrapTarget of(int budgetMs, double lingerRatio) {
        return new BootstrapTarget(
                (int) Math.min(MOST_EVENTS, budgetMs * EVENTS_PER_BUDGET_MS), Math.round(lingerRatio * 1e6 * budgetMs));
    }

    /** The same of a connector that is hosted, with at most {@value #MOST_HOSTED_EVENTS} events. */
    public static BootstrapTarget ofHosted(int budgetMs, double lingerRatio) {
        BootstrapTarget target = of(budgetMs, lingerRatio);
        return new BootstrapTarget(Math.min(MOST_HOSTED_EVENTS, target.batchTargetEvents()), target.lingerNanos());
    }
}
