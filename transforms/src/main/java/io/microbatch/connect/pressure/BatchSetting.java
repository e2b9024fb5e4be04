package io.microbatch.connect.pressure;

/**
 * The two limits that end a batch and that are adapted to the load. Immutable.
 *
 * @param maxEvents maximum records (N): the number of events that ends a batch immediately
 * @param lingerNanos linger (T): the longest deliberate delay of an event, in nanoseconds
 */
public record BatchSetting(int maxEvents, long lingerNanos) {

    /**
     * The estimated size of a hosted connector's batch before anything is learned. Each garbage collection copies all
     * events that are in flight, and a change event consists of dozens of objects.
     */
    private static final double FIRST_HOSTED_BYTES = 3_000_000;

    /** A batch of large events has at least this number, because a transaction costs as much as some 200 events. */
    private static final int MIN_FIRST_HOSTED_EVENTS = 2_000;

    /** Larger batches survive garbage collections and fall out of the caches, which costs more than it saves. */
    private static final int MAX_FIRST_EVENTS = 20_000;

    private static final long FIRST_EVENTS_PER_BUDGET_MS = 1_000;
    private static final double ALIKE_RATIO = 1.15;
    private static final double ALIKE_EVENTS = 0.1;

    /** Measurements cannot distinguish lingers that differ by less than a tenth of a millisecond. */
    private static final double ALIKE_NANOS = 100_000;

    /**
     * The setting before anything is learned: a thousand events for each millisecond of the budget, at most
     * {@value #MAX_FIRST_EVENTS}, and the objective's part of the budget as linger.
     *
     * @param budgetMs the latency budget, in milliseconds
     */
    public static BatchSetting first(int budgetMs, Objective objective) {
        return new BatchSetting(
                (int) Math.min(MAX_FIRST_EVENTS, budgetMs * FIRST_EVENTS_PER_BUDGET_MS),
                Math.round(objective.firstLingerRatio() * 1e6 * budgetMs));
    }

    /**
     * The maximum records (N) with which a hosted connector begins: as many events as three million bytes hold, 2,000
     * to {@value #MAX_FIRST_EVENTS}.
     *
     * @param meanEventBytes the mean estimated size of an event, in bytes; 0 if none is known
     */
    public static int firstHostedEvents(double meanEventBytes) {
        double events = meanEventBytes > 0 ? FIRST_HOSTED_BYTES / meanEventBytes : 0;
        return (int) Math.max(MIN_FIRST_HOSTED_EVENTS, Math.min(MAX_FIRST_EVENTS, events));
    }

    /** This linger with at most this number of events. */
    public BatchSetting atMost(int events) {
        return new BatchSetting(Math.min(events, maxEvents), lingerNanos);
    }

    /** The linger in milliseconds, for metrics and files. */
    public double lingerMs() {
        return lingerNanos / 1e6;
    }

    /** Whether the two are so close that a measurement of one holds for the other. */
    public boolean isLike(BatchSetting other) {
        return isLike(maxEvents, other.maxEvents, ALIKE_EVENTS) && isLike(lingerNanos, other.lingerNanos, ALIKE_NANOS);
    }

    private static boolean isLike(long a, long b, double tolerance) {
        return Math.max(a, b) <= ALIKE_RATIO * Math.min(a, b) + tolerance;
    }
}
