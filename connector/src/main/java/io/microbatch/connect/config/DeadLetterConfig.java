package io.microbatch.connect.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * Where events go that cannot be delivered, and how such events are detected. A record of more than {@code maxBytes},
 * as the producer counts them, is not sent to its own topic. {@code limitKey} is the key to raise for larger ones. A
 * negative retry timeout means no limit. The properties are the connector's whole configuration, which includes the
 * converters' settings. Immutable; any thread.
 */
public record DeadLetterConfig(
        String topic, Mode mode, int maxBytes, String limitKey, long retryTimeoutMs, Map<String, String> properties) {

    static final String GROUP = "Dead letters";

    /** The prefix of these keys. */
    public static final String PREFIX = "deadletter.";

    public static final String TOPIC_CONFIG = PREFIX + "topic";

    static final String TOPIC_DOC =
            "The topic for events that cannot be converted or are too large, with the cause in headers. "
                    + "deadletter.mode determines how such events are detected and which converters the connector "
                    + "needs. Without a topic, such an event fails the task, or is skipped with errors.tolerance=all.";

    public static final String MODE_CONFIG = PREFIX + "mode";

    static final String MODE_DOC =
            "'convert': the task converts events itself, with the converters named under 'deadletter.', and "
                    + "transforms see bytes. The connector's key and value converters must be ByteArrayConverter. Its "
                    + "header converter must be MixedHeaderConverter of this plugin, or ByteArrayConverter if no "
                    + "transform adds a header. 'try': the task only tests whether an event can be converted, and "
                    + "transforms see the original event. The connector's key, value and header converters must be "
                    + "DeadLetterConverter of this plugin, with the real converters named as its delegates. 'try' "
                    + "converts each event twice.";

    /** What Connect gets for an event that can be delivered. */
    public enum Mode {
        /** The event as converted bytes. */
        CONVERT,
        /** The original event, after a trial conversion. */
        TRY
    }

    public static final String MAX_BYTES_CONFIG = PREFIX + "max.bytes";

    static final String MAX_BYTES_DOC =
            "The largest record that is sent to its own topic, in bytes as the producer counts them before "
                    + "compression. Default: the smaller one of producer.override.max.request.size, or 1048576, and "
                    + "producer.override.buffer.memory, or 33554432. Lower it if the worker's "
                    + "producer or a topic's max.message.bytes allows less. With bulk.enabled the limit is "
                    + BulkConfig.RECORD_MARGIN_BYTES
                    + " bytes lower, for what a bulk record adds. With transforms it stays "
                    + WorkerKeys.TRANSFORMS_MARGIN_BYTES
                    + " bytes below the producer's limit, for the headers that they may add.";

    /** The minimum size with room for a cause. */
    static final int MIN_MAX_BYTES = 16 * 1024;

    static final String HEADER_CONVERTER = "header.converter";
    static final String SIMPLE_HEADERS = "org.apache.kafka.connect.storage.SimpleHeaderConverter";

    /** The worker's keys of the three converters. */
    static final List<String> CONVERTERS = List.of("key.converter", "value.converter", HEADER_CONVERTER);

    /** The suffix of the key that names the delegate of {@code DeadLetterConverter}, after the worker's own key. */
    static final String DELEGATE_SUFFIX = ".delegate";

    private static final String CONVERTER_DOC =
            "The converter that the task applies, as it would be set in the connector's own %1$s. Its "
                    + "settings have this key as prefix. Required with deadletter.topic and deadletter.mode=convert, "
                    + "and read only with deadletter.topic. With deadletter.mode=try it defaults to %1$s.delegate. In "
                    + "that mode set it if a trial with the delegate would register schemas of events that transforms "
                    + "change.";

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.MEDIUM, TOPIC_CONFIG, "Dead letter topic", TOPIC_DOC)
                .takes(Type.STRING, null, Width.LONG);
        keys.add(Importance.MEDIUM, MODE_CONFIG, "Dead letter mode", MODE_DOC).takesOneOf("convert", "try");
        keys.add(Importance.LOW, MAX_BYTES_CONFIG, "Largest record (bytes)", MAX_BYTES_DOC)
                .takes(Type.INT, null, Width.SHORT, OptionalRange.between(MIN_MAX_BYTES, Integer.MAX_VALUE, "bytes"));
        for (String converter : CONVERTERS) {
            String title = "The task's " + converter.replace('.', ' ');
            keys.add(Importance.MEDIUM, PREFIX + converter, title, String.format(CONVERTER_DOC, converter))
                    .takes(Type.STRING, converter.equals(HEADER_CONVERTER) ? SIMPLE_HEADERS : null, Width.LONG);
        }
    }

    static Optional<DeadLetterConfig> from(AbstractConfig config) {
        String topic = config.getString(TOPIC_CONFIG);
        if (topic == null || topic.isBlank()) {
            return Optional.empty();
        }
        Map<String, String> properties = config.originalsStrings();
        Integer own = config.getInt(MAX_BYTES_CONFIG);
        // One of its own that exceeds a default says that the worker's producers take larger records.
        long accepted = own == null ? 0 : own;
        ProducerLimit producer = ProducerLimit.smallest(properties, accepted);
        long producerBytes = producer.bytes(properties, accepted);
        long limit = producerBytes
                - (WorkerKeys.isBlank(properties, WorkerKeys.TRANSFORMS) ? 0 : WorkerKeys.TRANSFORMS_MARGIN_BYTES);
        if (own != null) {
            limit = Math.min(limit, own);
        }
        return Optional.of(new DeadLetterConfig(
                topic,
                Mode.valueOf(config.getString(MODE_CONFIG).toUpperCase(Locale.ROOT)),
                (int) Math.min(Integer.MAX_VALUE, limit)
                        - (BulkConfig.from(config).isPresent() ? BulkConfig.RECORD_MARGIN_BYTES : 0),
                own != null && own <= producerBytes ? MAX_BYTES_CONFIG : producer.key(),
                WorkerKeys.retryTimeoutMs(properties),
                properties));
    }

    /**
     * The class and the settings of the task's converter.
     *
     * @param kind such as {@code key.converter}
     */
    public ConverterConfig converter(String kind) {
        boolean own = mode == Mode.CONVERT || !WorkerKeys.isBlank(properties, PREFIX + kind);
        return ConverterConfig.of(
                properties,
                own ? PREFIX + kind : kind + DELEGATE_SUFFIX,
                kind.equals(HEADER_CONVERTER) ? SIMPLE_HEADERS : null);
    }

    /** Whether events are packed into bulk records after the conversion. */
    public boolean isBulk() {
        return Boolean.parseBoolean(
                properties.getOrDefault(BulkConfig.ENABLED_CONFIG, "").trim());
    }

    /** Omits the configuration, which may hold secrets. */
    @Override
    public String toString() {
        return "DeadLetterConfig[topic=" + topic + ", mode=" + mode + ", maxBytes=" + maxBytes + ", retryTimeoutMs="
                + retryTimeoutMs + ", " + properties.size() + " properties]";
    }

    static boolean isConverterSetting(String key) {
        return CONVERTERS.stream().anyMatch(converter -> key.startsWith(PREFIX + converter + "."));
    }
}
