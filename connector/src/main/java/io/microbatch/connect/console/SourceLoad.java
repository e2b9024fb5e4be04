package io.microbatch.connect.console;

/**
 * What is known of the way a connector reads its source. Only Debezium tells. Times are in milliseconds. Immutable; any
 * thread.
 *
 * @param debezium whether Debezium reads the source
 * @param queriesInEachPoll whether each poll interval costs the database a query
 * @param pollIntervalMs how long a poll waits for more events; 0 if this is not Debezium
 * @param behindMs how old the last event was when it was read
 * @param queueUsed the used part of Debezium's queue
 */
record SourceLoad(
        boolean debezium, boolean queriesInEachPoll, double pollIntervalMs, double behindMs, double queueUsed) {

    static final String POLL_INTERVAL = "poll.interval.ms";

    /** What to say where {@link #isReadLate}. */
    static final String READ_LATE = "Debezium reads late although its queue is nearly empty: the worker takes all that "
            + "it gets. Look at the database's log position, its load, and the network.";

    private static final String POLLS_TOO_SELDOM =
            "An event waits for Debezium's poll interval, which is longer than the goal needs.";

    private static final String QUERIES_IN_EACH_POLL =
            " Debezium sends this database a query in each poll interval: a shorter one costs the database more.";

    private static final double POLL_INTERVAL_DEFAULT = 500;

    /** Events that are read later than this are late, whatever the poll's interval. */
    private static final double LATE_MS = 1_000;

    private static final double LATE_POLLS = 4;
    private static final double QUEUE_NEARLY_EMPTY = 0.1;
    private static final double MIN_POLL_MS = 5;
    private static final double MAX_POLL_MS = 50;
    private static final double PARTS_OF_GOAL = 10;

    /** An event waits for two poll intervals at most. That leaves half the goal for its transaction. */
    private static final double PARTS_OF_GOAL_WITH_QUERIES = 4;

    static SourceLoad of(TaskSnapshot task, ConnectorSettings settings) {
        boolean debezium = settings.isDebezium();
        double capacity = task.get(Figure.DEBEZIUM_QUEUE_CAPACITY);
        return new SourceLoad(
                debezium,
                settings.queriesInEachPoll(),
                debezium ? settings.number(settings.sourceKey(POLL_INTERVAL)).orElse(POLL_INTERVAL_DEFAULT) : 0,
                // Debezium says -1 before the first event.
                task.get(Figure.DEBEZIUM_BEHIND_MS) < 0 ? Double.NaN : task.get(Figure.DEBEZIUM_BEHIND_MS),
                (capacity - task.get(Figure.DEBEZIUM_QUEUE_FREE)) / capacity);
    }

    /**
     * The poll interval that leaves room for the rest of a goal: a tenth of it, from 5 to 50 ms. Where each costs a
     * query it is a quarter of the goal.
     */
    double pollIntervalFor(double goalMs) {
        if (queriesInEachPoll) {
            return Math.max(MIN_POLL_MS, Math.floor(goalMs / PARTS_OF_GOAL_WITH_QUERIES));
        }
        return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, Math.floor(goalMs / PARTS_OF_GOAL)));
    }

    /** What to say of a poll interval that is shortened. */
    String pollsTooSeldom() {
        return POLLS_TOO_SELDOM + (queriesInEachPoll ? QUERIES_IN_EACH_POLL : "");
    }

    /** Whether the source itself is read late, although the worker takes all that is read. */
    boolean isReadLate() {
        return behindMs > Math.max(LATE_MS, LATE_POLLS * pollIntervalMs) && queueUsed < QUEUE_NEARLY_EMPTY;
    }

    void addTo(Evidence.Collector evidence) {
        if (debezium) {
            evidence.add("Debezium's poll.interval.ms", pollIntervalMs, "ms")
                    .add("age of the last event when Debezium read it", behindMs, "ms")
                    .add("used part of Debezium's queue", queueUsed, "");
        }
    }
}
