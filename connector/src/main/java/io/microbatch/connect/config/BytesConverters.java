package io.microbatch.connect.config;

import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigValue;

/** Checks that Connect's converters leave the bytes of an upstream as they are. Stateless; any thread. */
final class BytesConverters {

    private static final String MIXED_CONVERTER = "io.microbatch.connect.transforms.MixedHeaderConverter";

    /** Matches the end of the class names, and Connect's aliases, of transforms that add headers other than bytes. */
    private static final Pattern ADDS_HEADERS = Pattern.compile("(^|[.])(StampPressure|InsertHeader|HeaderFrom[$].*)$");

    private BytesConverters() {}

    /**
     * Checks one of the connector's own three converters.
     *
     * @param with the setting that needs bytes
     * @param reason why it needs them
     */
    static void check(
            String converter,
            Map<String, String> properties,
            Map<String, ConfigValue> values,
            String with,
            String reason) {
        String worker = properties.get(converter);
        boolean ofHeaders = converter.equals(DeadLetterConfig.HEADER_CONVERTER);
        if (ofHeaders && WorkerKeys.BYTES_CONVERTER.equals(worker) && addHeaders(properties)) {
            WorkerKeys.error(
                    values,
                    converter,
                    "must be " + MIXED_CONVERTER + " with " + with + " and a transform that adds headers: "
                            + WorkerKeys.BYTES_CONVERTER + " refuses everything but bytes");
        } else if (!WorkerKeys.BYTES_CONVERTER.equals(worker) && !(ofHeaders && MIXED_CONVERTER.equals(worker))) {
            WorkerKeys.error(
                    values,
                    converter,
                    "must be " + (ofHeaders ? MIXED_CONVERTER : WorkerKeys.BYTES_CONVERTER) + " with " + with + ": "
                            + reason);
        }
    }

    private static boolean addHeaders(Map<String, String> properties) {
        return WorkerKeys.transforms(properties).values().stream()
                .anyMatch(type -> ADDS_HEADERS.matcher(type).find());
    }
}
