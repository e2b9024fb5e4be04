package io.microbatch.connect.upstream.hosted;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings that a hosted connector gets unless the user sets them, because its own defaults assume that its poll is the
 * batch. Stateless; any thread.
 */
final class HostedDefaults {

    private static final String DEBEZIUM_CONNECTOR = "io.debezium.connector.common.BaseSourceConnector";

    /** Debezium's poll waits this long even when events are there; its default of 500 ms would outlast most budgets. */
    private static final String POLL_INTERVAL = "poll.interval.ms";

    private static final String POLL_INTERVAL_DEFAULT = "5";

    private HostedDefaults() {}

    static Map<String, String> complete(Map<String, String> own, Class<?> connectorClass) {
        Map<String, String> complete = new LinkedHashMap<>(own);
        if (HostedClasses.descendsFrom(connectorClass, DEBEZIUM_CONNECTOR)) {
            complete.putIfAbsent(POLL_INTERVAL, POLL_INTERVAL_DEFAULT);
        }
        return complete;
    }
}
