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
 * Where events go that cannot be delivered, and how it is found out which those are. Immutable; any thread.
 *
 * @param topic the dead letter topic
 * @param mode what goes on where an event can be delivered
 * @param maxBytes the size above which a record is not sent to its own topic, in bytes as the producer counts them
 * @param retryTimeoutMs how long a conversion that asks for a retry gets one, in milliseconds; negative for ever
 * @param properties the connector's whole configuration, which the converters' settings are part of
 */
public record DeadLetterConfig(
        String topic, Mode mode, int maxBytes, long retryTimeoutMs, Map<String, String> properties) {

    static final String GROUP = "Dead letters";
    static final String PREFIX = "deadletter.";

    /** The key of the topic. */
    public static final String TOPIC_CONFIG = PREFIX + "topic";

    static final String TOPIC_DOC =
            "The topic for events that cannot be converted or are too large, with the cause in headers. How "
                    + "that is found out, and which converters the connector needs for it, is a matter of "
                    + "deadletter.mode. Without a topic, such an event fails the task, or is skipped with "
                    + "errors.tolerance=all.";

    /** The key of the mode. */
    public static final String MODE_CONFIG = PREFIX + "mode";

    static final String MODE_DOC =
            "'convert': the task converts events itself, by the converters named under 'deadletter.', and "
                    + "transforms see bytes; the connector's key and value converters must be ByteArrayConverter, its "
                    + "header converter our MixedHeaderConverter, or ByteArrayConverter where no transform adds a "
                    + "header. 'try': the task only tries whether an event can be converted, and transforms see the "
                    + "event as it is, so that they can look into it; the connector's key, value and header "
                    + "converters must be our DeadLetterConverter, with the real ones named as its delegate. That "
                    + "costs a second conversion.";

    /** What goes on where an event can be delivered. */
    public enum Mode {
        /** The event as converted bytes. */
        CONVERT,
        /** The event as it is, after a conversion that was only tried. */
        TRY
    }

    /** The key of the size limit. */
    public static final String MAX_BYTES_CONFIG = PREFIX + "max.bytes";

    /** What transforms may add to a record that has gone past the check of its size. */
    private static final int TRANSFORMS_MARGIN_BYTES = 1_024;

    static final String MAX_BYTES_DOC =
            "The largest record, in bytes as the producer counts them before compression, that goes to its "
                    + "own topic. Left out, it is producer.override.max.request.size, or 1048576. Lower it if the "
                    + "worker's producer or a topic's max.message.bytes allows less. With bulk.enabled it is "
                    + BulkConfig.RECORD_MARGIN_BYTES
                    + " bytes less, for what a bulk record adds. With transforms it stays "
                    + TRANSFORMS_MARGIN_BYTES + " bytes under the producer's limit, for the headers that they may add.";

    /** The least that has room for a cause. */
    static final int MIN_MAX_BYTES = 16 * 1024;

    static final String HEADER_CONVERTER = "header.converter";
    static final String SIMPLE_HEADERS = "org.apache.kafka.connect.storage.SimpleHeaderConverter";
    static final String TRANSFORMS = "transforms";

    /** The converters that there are, by the worker's own keys. */
    static final List<String> CONVERTERS = List.of("key.converter", "value.converter", HEADER_CONVERTER);

    /** Where the setting of our converter stands that names the real one, below the worker's own key. */
    static final String DELEGATE_SUFFIX = ".delegate";

    private static final String CONVERTER_DOC =
            "The class that the task converts with, as it would stand in the connector's own %1$s; its "
                    + "settings follow under this key. Needed with deadletter.topic, and read only with it. With "
                    + "deadletter.mode=try it is left out: the trial converts by %1$s.delegate then. Set it all the "
                    + "same where the trial must not convert by that, since it would register schemas of events that "
                    + "transforms change.";

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.MEDIUM, TOPIC_CONFIG, "Dead letter topic", TOPIC_DOC)
                .takes(Type.STRING, null, Width.LONG);
        keys.add(Importance.MEDIUM, MODE_CONFIG, "Dead letter mode", MODE_DOC).takesOneOf("convert", "try");
        keys.add(Importance.LOW, MAX_BYTES_CONFIG, "Largest record (bytes)", MAX_BYTES_DOC)
                .takes(Type.INT, null, Width.SHORT, OptionalRange.atLeast(MIN_MAX_BYTES, "bytes"));
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
        long limit = WorkerKeys.number(properties, WorkerKeys.MAX_REQUEST_SIZE)
                        .orElse(own != null ? Long.MAX_VALUE : WorkerKeys.MAX_REQUEST_SIZE_DEFAULT)
                - (WorkerKeys.isBlank(properties, TRANSFORMS) ? 0 : TRANSFORMS_MARGIN_BYTES);
        if (own != null) {
            limit = Math.min(limit, own);
        }
        return Optional.of(new DeadLetterConfig(
                topic,
                Mode.valueOf(config.getString(MODE_CONFIG).toUpperCase(Locale.ROOT)),
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
        boolean own = mode == Mode.CONVERT || !WorkerKeys.isBlank(properties, PREFIX + kind);
        return ConverterConfig.of(
                properties,
                own ? PREFIX + kind : kind + DELEGATE_SUFFIX,
                kind.equals(HEADER_CONVERTER) ? SIMPLE_HEADERS : null);
    }

    /** Without the configuration, which may hold secrets. */
    @Override
    public String toString() {
        return "DeadLetterConfig[topic=" + topic + ", mode=" + mode + ", maxBytes=" + maxBytes + ", retryTimeoutMs="
                + retryTimeoutMs + ", " + properties.size() + " properties]";
    }

    static boolean isConverterSetting(String key) {
        return CONVERTERS.stream().anyMatch(converter -> key.startsWith(PREFIX + converter + "."));
    }
}
