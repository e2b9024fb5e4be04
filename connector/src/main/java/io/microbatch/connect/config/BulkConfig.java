package io.microbatch.connect.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigValue;

/**
 * How events are packed into bulk records. A negative retry timeout means no limit. The properties are the connector's
 * whole configuration, which includes the converters' settings. Immutable; any thread.
 */
public record BulkConfig(int maxBytes, long retryTimeoutMs, Map<String, String> properties) {

    static final String GROUP = "Bulk records";
    static final String PREFIX = "bulk.";

    /** The bytes that a producer counts for a record in addition to its value, with the key of a source partition. */
    public static final int RECORD_MARGIN_BYTES = 1_024;

    public static final String ENABLED_CONFIG = PREFIX + "enabled";

    static final String ENABLED_DOC = "Packs many events of a source partition into one Kafka record, in the format of "
            + "docs/bulk-format.md. The cost of a record in Connect and Kafka then occurs once for all of "
            + "them. Consumers of the topic have to unpack. The connector's key and value converters must be "
            + "ByteArrayConverter.";

    public static final String MAX_BYTES_CONFIG = PREFIX + "max.bytes";

    static final String MAX_BYTES_DOC = "The maximum size of a bulk record in bytes before compression. It must be "
            + RECORD_MARGIN_BYTES
            + " bytes below producer.override.max.request.size (1048576 if that is not set) and "
            + "producer.override.buffer.memory (33554432 if that is not set), and below the topic's "
            + "max.message.bytes. An event that alone is larger becomes a record of its own, which the "
            + "producer may refuse like any record that is too large.";
    static final int MAX_BYTES_DEFAULT = 900_000;

    /** The longest record that a reader accepts by default. */
    private static final int LARGEST_MAX_BYTES = 104_857_600;

    /** The prefix of the inner converters' keys. */
    public static final String INNER_PREFIX = PREFIX + "inner.";

    private static final String INNER_DOC =
            "The converter that the task applies to the events of a hosted connector or of an outbox before it "
                    + "packs them, as it would be set in the connector's own %s. Its settings have this key as prefix. "
                    + "Required with bulk.enabled=true, except with deadletter.topic, whose converters are used "
                    + "instead, and with upstream.type=synthetic, whose events are bytes. There it is not allowed.";
    private static final List<String> INNER = List.of("key.converter", "value.converter");

    /** The names and aliases of MirrorMaker's connectors. */
    private static final Pattern MIRROR_MAKER = Pattern.compile(
            "(?:org[.]apache[.]kafka[.]connect[.]mirror[.])?Mirror(Source|Checkpoint|Heartbeat)(Connector)?");

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.MEDIUM, ENABLED_CONFIG, "Bulk records", ENABLED_DOC)
                .takes(Type.BOOLEAN, false, Width.SHORT);
        keys.add(Importance.LOW, MAX_BYTES_CONFIG, "Largest bulk record (bytes)", MAX_BYTES_DOC)
                .takes(Type.INT, MAX_BYTES_DEFAULT, Width.SHORT, Range.between(1_024, LARGEST_MAX_BYTES));
        for (String converter : INNER) {
            String title = "Inner " + converter.replace('.', ' ');
            keys.add(Importance.MEDIUM, INNER_PREFIX + converter, title, String.format(INNER_DOC, converter))
                    .takes(Type.STRING, null, Width.LONG);
        }
    }

    static Optional<BulkConfig> from(AbstractConfig config) {
        if (!config.getBoolean(ENABLED_CONFIG)) {
            return Optional.empty();
        }
        Map<String, String> properties = config.originalsStrings();
        return Optional.of(
                new BulkConfig(config.getInt(MAX_BYTES_CONFIG), WorkerKeys.retryTimeoutMs(properties), properties));
    }

    /**
     * The class and the settings of an inner converter.
     *
     * @param kind such as {@code key.converter}
     */
    public ConverterConfig converter(String kind) {
        return ConverterConfig.of(properties, INNER_PREFIX + kind, null);
    }

    /** Omits the configuration, which may hold secrets. */
    @Override
    public String toString() {
        return "BulkConfig[maxBytes=" + maxBytes + ", retryTimeoutMs=" + retryTimeoutMs + ", " + properties.size()
                + " properties]";
    }

    static boolean isConverterSetting(String key) {
        return INNER.stream().anyMatch(converter -> key.startsWith(INNER_PREFIX + converter + "."));
    }

    static void check(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (!Boolean.TRUE.equals(values.get(ENABLED_CONFIG).value())) {
            properties.keySet().stream()
                    .filter(key -> key.startsWith(PREFIX) && !key.equals(ENABLED_CONFIG))
                    .forEach(key -> WorkerKeys.error(
                            values, key, "is read only with " + ENABLED_CONFIG + "=true: set that, or remove it"));
            return;
        }
        for (String converter : INNER) {
            if (!WorkerKeys.BYTES_CONVERTER.equals(properties.get(converter))) {
                WorkerKeys.error(
                        values,
                        converter,
                        "must be " + WorkerKeys.BYTES_CONVERTER + " in the connector's own configuration with "
                                + ENABLED_CONFIG
                                + "=true, since a bulk record is bytes: set it, and name the converter for the events "
                                + "of the upstream under " + INNER_PREFIX + converter);
            }
        }
        ContentTransforms.refuse(properties, values, ENABLED_CONFIG + "=true", "remove " + ENABLED_CONFIG);
        checkHosted(properties, values);
        checkInner(properties, values);
        checkSize(properties, values);
    }

    private static void checkHosted(Map<String, String> properties, Map<String, ConfigValue> values) {
        String hosted = properties.getOrDefault(HostedConfig.CLASS_CONFIG, "").trim();
        if (MIRROR_MAKER.matcher(hosted).matches()) {
            WorkerKeys.error(
                    values,
                    ENABLED_CONFIG,
                    "must not be true with a connector of MirrorMaker's: offsets of consumer groups would be "
                            + "translated to those of bulk records, so that consumers skip events after a failover, "
                            + "and Kafka's clients read checkpoints and heartbeats as single records. Set it to false, "
                            + "or remove it, and the other keys under " + PREFIX);
        }
    }

    private static void checkInner(Map<String, String> properties, Map<String, ConfigValue> values) {
        boolean deadLetters = !WorkerKeys.isBlank(properties, DeadLetterConfig.TOPIC_CONFIG);
        boolean generated =
                "synthetic".equalsIgnoreCase(properties.getOrDefault(UpstreamConfig.TYPE_CONFIG, "connector"));
        if (deadLetters || generated) {
            properties.keySet().stream()
                    .filter(key -> key.startsWith(INNER_PREFIX))
                    .forEach(key -> WorkerKeys.error(
                            values,
                            key,
                            deadLetters
                                    ? "is not read with " + DeadLetterConfig.TOPIC_CONFIG
                                            + ", whose converters are used instead: remove it"
                                    : "is not read with " + UpstreamConfig.TYPE_CONFIG
                                            + "=synthetic, whose events are bytes: remove it"));
            return;
        }
        for (String converter : INNER) {
            Object className = values.get(INNER_PREFIX + converter).value();
            if (className == null || className.toString().isBlank()) {
                WorkerKeys.error(
                        values,
                        INNER_PREFIX + converter,
                        "is missing: name the class that " + converter + " would name without " + ENABLED_CONFIG);
            } else if (!ConverterConfig.isInstalled(className.toString())) {
                WorkerKeys.error(
                        values, INNER_PREFIX + converter, "names a class that is not installed on this worker");
            }
        }
    }

    private static void checkSize(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (!(values.get(MAX_BYTES_CONFIG).value() instanceof Integer maxBytes)) {
            return;
        }
        for (ProducerLimit limit : ProducerLimit.values()) {
            if (maxBytes > limit.bytes(properties) - RECORD_MARGIN_BYTES) {
                WorkerKeys.error(
                        values,
                        MAX_BYTES_CONFIG,
                        "must be at least " + RECORD_MARGIN_BYTES + " bytes below " + limit.key() + ", which is "
                                + limit.defaultBytes()
                                + " if it is not set: the producer would refuse full records. Lower this or raise "
                                + "that, and the topic's max.message.bytes must allow the records too");
            }
        }
    }
}
