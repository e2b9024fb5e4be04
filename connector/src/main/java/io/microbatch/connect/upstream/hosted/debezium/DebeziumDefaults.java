package io.microbatch.connect.upstream.hosted.debezium;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings for a hosted Debezium connector unless the user sets them. Debezium's own defaults assume that its poll is
 * the batch, and that its stop may take all the time that a worker grants. Stateless; any thread.
 */
public final class DebeziumDefaults {

    /**
     * The wait of Debezium's poll until a batch is full, and of its reading thread while the database is idle. The
     * default of 500 ms exceeds most budgets. The last part of a millisecond of each wait spins and holds the lock that
     * the reading thread needs, so that short intervals use most of a processor. Only set where no wait precedes a
     * query of the database: an idle SQL Server would answer 50 times as many.
     */
    static final String POLL_INTERVAL = "poll.interval.ms";

    private static final String POLL_INTERVAL_DEFAULT = "10";

    /** The value for the objective latency. */
    private static final String POLL_INTERVAL_FOR_LATENCY = "5";

    /**
     * With the value 1 an event is a full batch, so that no poll waits while there is one. Events that belong together
     * then come in several polls, which {@link LastRun} handles. Only set where it was measured: the MongoDB connector
     * also makes its cursor's buffer this small.
     */
    static final String MAX_BATCH = "max.batch.size";

    static final String MAX_BATCH_FOR_LATENCY = "1";

    /**
     * The value for the objective efficiency. A change event is dozens of objects, and every garbage collection copies
     * those that wait. More are not needed to keep a backlog flowing, and the stripe is a further queue.
     */
    private static final String MAX_BATCH_DEFAULT = "256";

    private static final String MAX_QUEUE = "max.queue.size";

    private static final String MAX_QUEUE_DEFAULT = "512";

    /**
     * How long Debezium's stop waits for its reading thread before it interrupts it. That thread ends within a poll
     * interval, unless its queue is full behind a full stripe. Then the stop waits for all of this time. The default of
     * 4 s is more than a stopping task has left.
     */
    private static final String SHUTDOWN_TIMEOUT = "executor.shutdown.timeout.ms";

    private static final String SHUTDOWN_TIMEOUT_DEFAULT = "1000";

    /**
     * The interval and the number of attempts to get a replication slot that a predecessor still holds: for a minute,
     * like the default of 6 times 10 s, but in smaller steps.
     */
    private static final Map<String, String> SLOT_RETRY =
            Map.of("slot.retry.delay.ms", "2000", "slot.max.retries", "30");

    private DebeziumDefaults() {}

    /** Returns a hosted connector's settings with these defaults. Settings of other connectors are unchanged. */
    public static Map<String, String> complete(Map<String, String> own, Class<?> connectorClass, boolean forLatency) {
        Map<String, String> complete = new LinkedHashMap<>(own);
        if (Debezium.isConnector(connectorClass)) {
            Map<String, String> defaults = defaults(connectorClass, forLatency);
            // The queue must be longer than a batch. If the user sets one of them, Debezium's default
            // applies to the other.
            if (own.containsKey(MAX_BATCH)) {
                defaults.remove(MAX_QUEUE);
            }
            if (own.containsKey(MAX_QUEUE) && !forLatency) {
                defaults.remove(MAX_BATCH);
            }
            defaults.forEach(complete::putIfAbsent);
        }
        return complete;
    }

    private static Map<String, String> defaults(Class<?> connectorClass, boolean forLatency) {
        Map<String, String> defaults = new LinkedHashMap<>();
        if (Debezium.queriesIndependently(connectorClass)) {
            defaults.put(POLL_INTERVAL, forLatency ? POLL_INTERVAL_FOR_LATENCY : POLL_INTERVAL_DEFAULT);
        }
        defaults.put(SHUTDOWN_TIMEOUT, SHUTDOWN_TIMEOUT_DEFAULT);
        if (Debezium.isPostgresConnector(connectorClass)) {
            defaults.putAll(SLOT_RETRY);
            defaults.put(MAX_BATCH, forLatency ? MAX_BATCH_FOR_LATENCY : MAX_BATCH_DEFAULT);
            defaults.put(MAX_QUEUE, MAX_QUEUE_DEFAULT);
        }
        return defaults;
    }
}
