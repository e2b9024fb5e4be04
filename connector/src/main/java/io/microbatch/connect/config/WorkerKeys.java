package io.microbatch.connect.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.config.ConfigValue;

/** The keys of the worker and its producer that also concern this connector. Stateless; any thread. */
final class WorkerKeys {

    static final String PRODUCER_PREFIX = "producer.override.";

    /** The converter that does not change bytes. */
    static final String BYTES_CONVERTER = "org.apache.kafka.connect.converters.ByteArrayConverter";

    static final String TRANSFORMS = "transforms";
    static final String TOLERANCE = "errors.tolerance";

    /** The bytes that transforms may add to a record after the check of its size. */
    static final int TRANSFORMS_MARGIN_BYTES = 1_024;

    private static final String RETRY_TIMEOUT = "errors.retry.timeout";

    private WorkerKeys() {}

    /** How long a conversion is retried, in milliseconds. Negative for no limit. */
    static long retryTimeoutMs(Map<String, String> properties) {
        return number(properties, RETRY_TIMEOUT).orElse(0);
    }

    /** Empty if the key is not set or its value is not a number. The owner of the key reports the latter. */
    static OptionalLong number(Map<String, String> properties, String key) {
        String text = properties.get(key);
        try {
            return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text.trim()));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** The settings whose keys have the prefix, under the rest of their keys. */
    static Map<String, String> withoutPrefix(Map<String, String> properties, String prefix) {
        Map<String, String> settings = new LinkedHashMap<>();
        properties.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                settings.put(key.substring(prefix.length()), value);
            }
        });
        return settings;
    }

    /** The class of each of the connector's transforms, by name and in order. Empty for one without a class. */
    static Map<String, String> transforms(Map<String, String> properties) {
        Map<String, String> types = new LinkedHashMap<>();
        for (String name : properties.getOrDefault(TRANSFORMS, "").split(",", -1)) {
            if (!name.isBlank()) {
                String key = TRANSFORMS + "." + name.trim() + ".type";
                types.put(name.trim(), properties.getOrDefault(key, "").trim());
            }
        }
        return types;
    }

    static boolean isBlank(Map<String, String> properties, String key) {
        String text = properties.get(key);
        return text == null || text.isBlank();
    }

    static void error(Map<String, ConfigValue> values, String key, String problem) {
        values.computeIfAbsent(key, ConfigValue::new).addErrorMessage(key + " " + problem);
    }
}
