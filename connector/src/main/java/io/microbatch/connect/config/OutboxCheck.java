package io.microbatch.connect.config;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;

/** Checks the settings of the outbox upstream that depend on each other or on the worker's. Stateless; any thread. */
public final class OutboxCheck {

    private static final String OUTBOX = UpstreamConfig.TYPE_CONFIG + "=outbox";

    private OutboxCheck() {}

    /** Adds problems at the keys. Nothing for another upstream. */
    static void check(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (!isOutbox(properties)) {
            return;
        }
        for (String key : List.of(OutboxConfig.USER_CONFIG, OutboxConfig.PASSWORD_CONFIG)) {
            if (WorkerKeys.isBlank(properties, key)) {
                WorkerKeys.error(values, key, "is missing: " + OUTBOX + " connects to the database with it");
            }
        }
        if (number(values, OutboxConfig.MAX_PAYLOAD_CONFIG) * 2 > number(values, StripeConfig.MAX_BYTES_CONFIG)) {
            WorkerKeys.error(
                    values,
                    OutboxConfig.MAX_PAYLOAD_CONFIG,
                    "must be at most half of " + StripeConfig.MAX_BYTES_CONFIG + ": lower this or raise that");
        }
    }

    /** What an operator should know and what prevents nothing, with the remedy. Empty for another upstream. */
    public static List<String> warnings(Map<String, String> properties) {
        boolean tolerates = "all"
                .equalsIgnoreCase(
                        properties.getOrDefault(WorkerKeys.TOLERANCE, "").strip());
        if (!isOutbox(properties) || !tolerates || !WorkerKeys.isBlank(properties, DeadLetterConfig.TOPIC_CONFIG)) {
            return List.of();
        }
        return List.of(
                WorkerKeys.TOLERANCE + "=all drops rows that cannot be converted or sent, and they are deleted: set "
                        + DeadLetterConfig.TOPIC_CONFIG + " with it, or remove it");
    }

    private static boolean isOutbox(Map<String, String> properties) {
        return "outbox"
                .equalsIgnoreCase(
                        properties.getOrDefault(UpstreamConfig.TYPE_CONFIG, "").strip());
    }

    /** 0 for a value that is reported as wrong. */
    private static long number(Map<String, ConfigValue> values, String key) {
        return values.get(key).value() instanceof Number number ? number.longValue() : 0;
    }
}
