package io.microbatch.connect.upstream.hosted;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings that a hosted connector gets unless the user sets them, because its own defaults assume that its poll is the
 * batch, and that it may take all of the worker's patience for its stop. Stateless; any thread.
 */
final class HostedDefaults {

    private static final String DEBEZIUM_CONNECTOR = "io.debezium.connector.common.BaseSourceConnector";

    /** Debezium's poll waits this long even when events are there; its default of 500 ms would outlast most budgets. */
    private static final String POLL_INTERVAL = "poll.interval.ms";

    private static final String POLL_INTERVAL_DEFAULT = "5";

    /** Where the shortest wait is wanted: 3 ms sooner in the median, for a third more CPU time at 1,000 rows/s. */
    private static final String POLL_INTERVAL_FOR_LATENCY = "2";

    /**
     * How long Debezium's stop waits for its reading thread before it interrupts it. That thread ends by itself within
     * a poll interval, unless its queue is full, as it is behind a full stripe: then all of this is waited for. The
     * default of 4 s is more than a stopping task has left.
     */
    private static final String SHUTDOWN_TIMEOUT = "executor.shutdown.timeout.ms";

    private static final String SHUTDOWN_TIMEOUT_DEFAULT = "1000";

    private static final String POSTGRES_CONNECTOR = "io.debezium.connector.postgresql.PostgresConnector";

    /**
     * How often and how many times PostgreSQL is asked for a slot that a predecessor still holds: for a minute, as in
     * the default of 6 times 10 s, but so that the slot is noticed to be free soon after it is.
     */
    private static final Map<String, String> SLOT_RETRY =
            Map.of("slot.retry.delay.ms", "2000", "slot.max.retries", "30");

    private HostedDefaults() {}

    static Map<String, String> complete(Map<String, String> own, Class<?> connectorClass, boolean forLatency) {
        Map<String, String> complete = new LinkedHashMap<>(own);
        if (HostedClasses.descendsFrom(connectorClass, DEBEZIUM_CONNECTOR)) {
            complete.putIfAbsent(POLL_INTERVAL, forLatency ? POLL_INTERVAL_FOR_LATENCY : POLL_INTERVAL_DEFAULT);
            complete.putIfAbsent(SHUTDOWN_TIMEOUT, SHUTDOWN_TIMEOUT_DEFAULT);
        }
        if (HostedClasses.descendsFrom(connectorClass, POSTGRES_CONNECTOR)) {
            SLOT_RETRY.forEach(complete::putIfAbsent);
        }
        return complete;
    }
}
