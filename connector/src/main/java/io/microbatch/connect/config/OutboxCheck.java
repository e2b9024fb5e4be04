package io.microbatch.connect.config;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;

/** Checks the settings of the outbox upstream that depend on each other or on the worker's. Stateless; any thread. */
public final class OutboxCheck {

    private static final String OUTBOX = UpstreamConfig.TYPE_CONFIG + "=outbox";
    private static final String ACKS = WorkerKeys.PRODUCER_PREFIX + "acks";

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
        if (text(properties, WorkerKeys.TOLERANCE).equalsIgnoreCase("all")) {
            WorkerKeys.error(
                    values,
                    WorkerKeys.TOLERANCE,
                    "must be none with " + OUTBOX + ": a record whose send fails would be reported as dropped, and its "
                            + "row would be deleted. Remove it; " + DeadLetterConfig.TOPIC_CONFIG
                            + " keeps rows that cannot be converted");
        }
        if (text(properties, ACKS).equals("0")) {
            WorkerKeys.error(
                    values,
                    ACKS,
                    "must not be 0 with " + OUTBOX + ": a row would be deleted before Kafka has it. Remove it");
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
        if (!isOutbox(properties) || !text(properties, ACKS).equals("1")) {
            return List.of();
        }
        return List.of(ACKS + "=1 lets a row be deleted whose record is lost with its broker: leave it out");
    }

    private static String text(Map<String, String> properties, String key) {
        return properties.getOrDefault(key, "").strip();
    }

    private static boolean isOutbox(Map<String, String> properties) {
        return text(properties, UpstreamConfig.TYPE_CONFIG).equalsIgnoreCase("outbox");
    }

    /** 0 for a value that is reported as wrong. */
    private static long number(Map<String, ConfigValue> values, String key) {
        return values.get(key).value() instanceof Number number ? number.longValue() : 0;
    }
}
