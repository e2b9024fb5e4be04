package io.microbatch.connect.upstream.hosted.debezium;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings that a hosted connector of Debezium's gets unless the user sets them, because its own defaults assume that
 * its poll is the batch, and that its stop may take all the time that a worker grants. Stateless; any thread.
 */
public final class DebeziumDefaults {

    /**
     * Debezium's poll waits this long unless a batch is full, and so does its reading thread where the database is
     * idle; the default of 500 ms would outlast most budgets. The last part of a millisecond of each wait is spent
     * spinning, with the lock held that the reading thread needs: short intervals cost most of a processor.
     */
    private static final String POLL_INTERVAL = "poll.interval.ms";

    private static final String POLL_INTERVAL_DEFAULT = "10";

    /** Where the shortest wait is wanted. */
    private static final String POLL_INTERVAL_FOR_LATENCY = "5";

    /**
     * Where the shortest wait is wanted, no poll waits while there is an event, since one is a full batch; what belongs
     * together then comes in several polls, and {@link LastRun} knows. Only where it was measured: the MongoDB
     * connector also makes its cursor's buffer as small.
     */
    static final String MAX_BATCH = "max.batch.size";

    static final String MAX_BATCH_FOR_LATENCY = "1";

    /**
     * Otherwise, and for its queue: not more than keeps a backlog flowing. A change event is dozens of objects, and
     * what waits is copied by every collection of the garbage collector. The stripe behind it is a queue already.
     */
    private static final String MAX_BATCH_DEFAULT = "256";

    private static final String MAX_QUEUE = "max.queue.size";

    private static final String MAX_QUEUE_DEFAULT = "512";

    /**
     * How long Debezium's stop waits for its reading thread before it interrupts it. That thread ends by itself within
     * a poll interval, unless its queue is full, as it is behind a full stripe: then all of this is waited for. The
     * default of 4 s is more than a stopping task has left.
     */
    private static final String SHUTDOWN_TIMEOUT = "executor.shutdown.timeout.ms";

    private static final String SHUTDOWN_TIMEOUT_DEFAULT = "1000";

    /**
     * How often and how many times PostgreSQL is asked for a slot that a predecessor still holds: for a minute, as in
     * the default of 6 times 10 s, but so that the slot is noticed to be free soon after it is.
     */
    private static final Map<String, String> SLOT_RETRY =
            Map.of("slot.retry.delay.ms", "2000", "slot.max.retries", "30");

    private DebeziumDefaults() {}

    /**
     * A hosted connector's settings with these defaults; unchanged where it is none of Debezium's.
     *
     * @param own the settings as the user wrote them
     * @param forLatency whether the shortest wait is wanted
     */
    public static Map<String, String> complete(Map<String, String> own, Class<?> connectorClass, boolean forLatency) {
        Map<String, String> complete = new LinkedHashMap<>(own);
        if (Debezium.isConnector(connectorClass)) {
            Map<String, String> defaults = defaults(Debezium.isPostgresConnector(connectorClass), forLatency);
            // A queue must be longer than a batch: a user who sets one of them gets Debezium's default for the other.
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

    static Map<String, String> defaults(boolean postgres, boolean forLatency) {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put(POLL_INTERVAL, forLatency ? POLL_INTERVAL_FOR_LATENCY : POLL_INTERVAL_DEFAULT);
        defaults.put(SHUTDOWN_TIMEOUT, SHUTDOWN_TIMEOUT_DEFAULT);
        if (postgres) {
            defaults.putAll(SLOT_RETRY);
            defaults.put(MAX_BATCH, forLatency ? MAX_BATCH_FOR_LATENCY : MAX_BATCH_DEFAULT);
            defaults.put(MAX_QUEUE, MAX_QUEUE_DEFAULT);
        }
        return defaults;
    }
}
