package io.microbatch.connect.pressure;

/**
 * The two limits that end a batch and that are adapted to the load. Immutable.
 *
 * @param maxEvents maximum records (N): the number of events that ends a batch immediately
 * @param lingerNanos linger (T): the longest deliberate delay of an event, in nanoseconds
 */
public record BatchSetting(int maxEvents, long lingerNanos) {

    /**
     * The maximum records (N) that a hosted connector starts with. A change event consists of dozens of objects, and
     * each garbage collection copies all events that are in flight.
     */
    public static final int MAX_FIRST_HOSTED_EVENTS = 2_000;

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
