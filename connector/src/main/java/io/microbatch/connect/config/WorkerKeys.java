package io.microbatch.connect.config;

import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.config.ConfigValue;

/**
 * What a connector's configuration says to the worker that runs it, and its producer, as far as it concerns this
 * connector as well. Stateless; any thread.
 */
final class WorkerKeys {

    static final String PRODUCER_PREFIX = "producer.override.";
    static final String MAX_REQUEST_SIZE = PRODUCER_PREFIX + "max.request.size";

    /** The converter that leaves bytes alone. */
    static final String BYTES_CONVERTER = "org.apache.kafka.connect.converters.ByteArrayConverter";

    /** The producer's own. */
    static final long MAX_REQUEST_SIZE_DEFAULT = 1_048_576;

    private static final String RETRY_TIMEOUT = "errors.retry.timeout";

    private WorkerKeys() {}

    /** The largest request of the connector's producer, in bytes, as far as the connector says. */
    static long maxRequestSizeBytes(Map<String, String> properties) {
        return number(properties, MAX_REQUEST_SIZE).orElse(MAX_REQUEST_SIZE_DEFAULT);
    }

    /** For how long a conversion that asks for a retry gets one, in milliseconds; negative for ever. */
    static long retryTimeoutMs(Map<String, String> properties) {
        return number(properties, RETRY_TIMEOUT).orElse(0);
    }

    /** Empty where it is not set, or is no number, which the owner of the key reports. */
    static OptionalLong number(Map<String, String> properties, String key) {
        String text = properties.get(key);
        try {
            return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text.trim()));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Whether a key is not set, or to nothing. */
    static boolean isBlank(Map<String, String> properties, String key) {
        String text = properties.get(key);
        return text == null || text.isBlank();
    }

    /** Adds an error to a key, which it names. */
    static void error(Map<String, ConfigValue> values, String key, String problem) {
        values.computeIfAbsent(key, ConfigValue::new).addErrorMessage(key + " " + problem);
    }
}
