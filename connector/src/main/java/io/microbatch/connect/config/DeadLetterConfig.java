package io.microbatch.connect.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Where events go that cannot be delivered, and how it is found out which those are. Immutable; any thread.
 *
 * @param topic the dead letter topic
 * @param maxBytes the size above which a record is not sent to its own topic, in bytes as the producer counts them
 * @param retryTimeoutMs how long a conversion that asks for a retry gets one, in milliseconds; negative for ever
 * @param properties the connector's whole configuration, which the converters' settings are part of
 */
public record DeadLetterConfig(String topic, int maxBytes, long retryTimeoutMs, Map<String, String> properties) {

    static final String GROUP = "Dead letters";
    static final String PREFIX = "deadletter.";

    /** The key of the topic. */
    public static final String TOPIC_CONFIG = PREFIX + "topic";

    static final String TOPIC_DOC =
            "The topic for events that cannot be converted or are too large, with the cause in headers. With it, the "
                    + "task converts events itself, by the converters named under 'deadletter.', and the connector's "
                    + "key and value converters must be ByteArrayConverter, its header converter our "
                    + "MixedHeaderConverter, or ByteArrayConverter where no transform adds a header. Without it, such an "
                    + "event fails the task, or is skipped with errors.tolerance=all.";

    /** The key of the size limit. */
    public static final String MAX_BYTES_CONFIG = PREFIX + "max.bytes";

    /** What transforms may add to a record that has gone past the check of its size. */
    private static final int TRANSFORMS_MARGIN_BYTES = 1_024;

    static final String MAX_BYTES_DOC =
            "The largest record, in bytes as the producer counts them before compression, that goes to its own topic. "
                    + "Left out, it is producer.override.max.request.size, or 1048576. Lower it if the worker's producer "
                    + "or a topic's max.message.bytes allows less. With bulk.enabled it is "
                    + BulkConfig.RECORD_MARGIN_BYTES
                    + " bytes less, for what a bulk record adds. With transforms it stays "
                    + TRANSFORMS_MARGIN_BYTES + " bytes under the producer's limit, for the headers that they may add.";
    private static final int MAX_BYTES_LEAST = 16 * 1024;

    private static final String MIXED_CONVERTER = "io.microbatch.connect.transforms.MixedHeaderConverter";
    private static final String HEADER_CONVERTER = "header.converter";
    private static final String TRANSFORMS = "transforms";

    /** Transforms that add headers which are not bytes, by a part of their class names. */
    private static final Pattern ADDS_HEADERS = Pattern.compile("[.](StampPressure|InsertHeader|HeaderFrom[$].*)");

    /** The converters that there are, by the worker's own keys. */
    private static final List<String> CONVERTERS = List.of("key.converter", "value.converter", HEADER_CONVERTER);

    private static final String CONVERTER_DOC =
            "The class that the task converts with, as it would stand in the connector's own %s; its settings follow "
                    + "under this key. Needed with deadletter.topic, and read only with it.";

    static void define(ConfigDef def) {
        int order = 0;
        def.define(
                TOPIC_CONFIG,
                Type.STRING,
                null,
                Importance.MEDIUM,
                TOPIC_DOC,
                GROUP,
                ++order,
                Width.LONG,
                "Dead letter topic");
        def.define(
                MAX_BYTES_CONFIG,
                Type.INT,
                null,
                OptionalRange.atLeast(MAX_BYTES_LEAST, "bytes"),
                Importance.LOW,
                MAX_BYTES_DOC,
                GROUP,
                ++order,
                Width.SHORT,
                "Largest record (bytes)");
        for (String converter : CONVERTERS) {
            def.define(
                    PREFIX + converter,
                    Type.STRING,
                    converter.equals(HEADER_CONVERTER)
                            ? "org.apache.kafka.connect.storage.SimpleHeaderConverter"
                            : null,
                    Importance.MEDIUM,
                    String.format(CONVERTER_DOC, converter),
                    GROUP,
                    ++order,
                    Width.LONG,
                    "The task's " + converter.replace('.', ' '));
        }
    }

    static Optional<DeadLetterConfig> from(AbstractConfig config) {
        String topic = config.getString(TOPIC_CONFIG);
        if (topic == null || topic.isBlank()) {
            return Optional.empty();
        }
        Map<String, String> properties = config.originalsStrings();
        Integer own = config.getInt(MAX_BYTES_CONFIG);
        long limit = WorkerKeys.number(properties, WorkerKeys.MAX_REQUEST_SIZE)
                        .orElse(own != null ? Long.MAX_VALUE : WorkerKeys.MAX_REQUEST_SIZE_DEFAULT)
                - (blank(properties.get(TRANSFORMS)) ? 0 : TRANSFORMS_MARGIN_BYTES);
        if (own != null) {
            limit = Math.min(limit, own);
        }
        return Optional.of(new DeadLetterConfig(
                topic,
                (int) Math.min(Integer.MAX_VALUE, limit)
                        - (BulkConfig.from(config).isPresent() ? BulkConfig.RECORD_MARGIN_BYTES : 0),
                WorkerKeys.retryTimeoutMs(properties),
                properties));
    }

    /**
     * The class and the settings of the task's converter.
     *
     * @param kind such as {@code key.converter}
     */
    public ConverterConfig converter(String kind) {
        String fallback = (String) MicrobatchConfig.definition().defaultValues().get(PREFIX + kind);
        return ConverterConfig.of(properties, PREFIX + kind, fallback);
    }

    /** Without the configuration, which may hold secrets. */
    @Override
    public String toString() {
        return "DeadLetterConfig[topic=" + topic + ", maxBytes=" + maxBytes + ", retryTimeoutMs=" + retryTimeoutMs
                + ", " + properties.size() + " properties]";
    }

    static boolean isConverterSetting(String key) {
        return CONVERTERS.stream().anyMatch(converter -> key.startsWith(PREFIX + converter + "."));
    }

    static void check(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (blank(properties.get(TOPIC_CONFIG))) {
            properties.keySet().stream()
                    .filter(key -> key.startsWith(PREFIX) && !key.equals(TOPIC_CONFIG))
                    .forEach(key -> WorkerKeys.error(
                            values, key, "is read only with " + TOPIC_CONFIG + ": set that, or remove it"));
            return;
        }
        for (String converter : CONVERTERS) {
            checkWorkers(converter, properties, values);
            ConfigValue own = values.get(PREFIX + converter);
            if (own.value() == null || own.value().toString().isBlank()) {
                WorkerKeys.error(
                        values, PREFIX + converter, "is missing: name the class that " + converter + " would name");
            } else if (!ConverterConfig.isInstalled(own.value().toString())) {
                WorkerKeys.error(values, PREFIX + converter, "names a class that is not installed on this worker");
            }
        }
        WorkerKeys.number(properties, WorkerKeys.MAX_REQUEST_SIZE)
                .ifPresent(request -> checkSizes(properties, values, request));
    }

    private static void checkWorkers(
            String converter, Map<String, String> properties, Map<String, ConfigValue> values) {
        String worker = properties.get(converter);
        boolean ofHeaders = converter.equals(HEADER_CONVERTER);
        if (ofHeaders && WorkerKeys.BYTES_CONVERTER.equals(worker) && addHeaders(properties)) {
            WorkerKeys.error(
                    values,
                    converter,
                    "must be " + MIXED_CONVERTER + " with " + TOPIC_CONFIG + " and a transform that adds headers: "
                            + WorkerKeys.BYTES_CONVERTER + " refuses what is not bytes");
        } else if (!WorkerKeys.BYTES_CONVERTER.equals(worker) && !(ofHeaders && MIXED_CONVERTER.equals(worker))) {
            WorkerKeys.error(
                    values,
                    converter,
                    "must be " + (ofHeaders ? MIXED_CONVERTER : WorkerKeys.BYTES_CONVERTER) + " with " + TOPIC_CONFIG
                            + ": the task converts, by " + PREFIX + converter);
        }
    }

    private static boolean addHeaders(Map<String, String> properties) {
        String names = properties.getOrDefault(TRANSFORMS, "");
        return Stream.of(names.split(",", -1))
                .map(name -> properties.getOrDefault(TRANSFORMS + "." + name.trim() + ".type", ""))
                .anyMatch(type -> ADDS_HEADERS.matcher(type).find());
    }

    private static void checkSizes(Map<String, String> properties, Map<String, ConfigValue> values, long requestBytes) {
        if (requestBytes < MAX_BYTES_LEAST) {
            WorkerKeys.error(
                    values,
                    WorkerKeys.MAX_REQUEST_SIZE,
                    "must be at least " + MAX_BYTES_LEAST + " with " + TOPIC_CONFIG
                            + ", so that a dead letter has room for its cause");
        }
        if (WorkerKeys.number(properties, MAX_BYTES_CONFIG).orElse(0) > requestBytes) {
            WorkerKeys.error(
                    values,
                    MAX_BYTES_CONFIG,
                    "must not be above " + WorkerKeys.MAX_REQUEST_SIZE + ": the producer would refuse");
        }
    }

    private static boolean blank(String text) {
        return text == null || text.isBlank();
    }
}
