package io.microbatch.connect.console;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The configuration of a connector as its owner has written it, with references to config providers in place of their
 * values. Immutable; any thread. Its text shows no value.
 *
 * @param config the settings
 * @param workerFlushMs the worker's {@code offset.flush.interval.ms}, which is Connect's interval without another one
 * @param workerProducer what the connector's producer has from its worker
 */
public record ConnectorSettings(Map<String, String> config, double workerFlushMs, WorkerProducer workerProducer) {

    /** The key of the connector's class. */
    public static final String CLASS = "connector.class";

    /** The worker's key of who ends a transaction. */
    public static final String BOUNDARY = "transaction.boundary";

    /** The worker's key of the interval of Connect's clock, in milliseconds. */
    public static final String BOUNDARY_INTERVAL_MS = "transaction.boundary.interval.ms";

    static final String HOSTED_PREFIX = "upstream.connector.";
    /** This project's connector. */
    public static final String MICROBATCH_CLASS = "io.microbatch.connect.MicrobatchSourceConnector";

    static final String TARGET_MS = "latency.target.ms";
    static final String UPSTREAM = "upstream.type";
    static final String HTTP = "http";
    static final String OUTBOX = "outbox";

    /** What to say of a connector that {@link #hasOwnBoundaries}. */
    static final String OWN_BOUNDARIES = "The connector itself ends its transactions (transaction.boundary=connector).";

    /** Chooses the version of a plain connector. A hosted connector is always of the newest one. */
    public static final String PLUGIN_VERSION = "connector.plugin.version";

    /** The worker's default. */
    public static final double FLUSH_MS_DEFAULT = 60_000;

    /** What a connector has of which the console knows no configuration. */
    static final ConnectorSettings UNKNOWN = new ConnectorSettings(Map.of(), FLUSH_MS_DEFAULT);

    static final String TRANSACTION_TIMEOUT_MS = "transaction.timeout.ms";

    private static final String PRODUCER_OVERRIDE = "producer.override.";

    /** The default of the worker's producers. */
    private static final double TRANSACTION_TIMEOUT_MS_DEFAULT = 60_000;

    private static final String DEBEZIUM = "io.debezium.";
    private static final String HOSTED = "connector";

    /** Copies the settings. Connect may have keys without a value. */
    public ConnectorSettings {
        config = config.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The settings on a worker with Kafka's defaults for producers. */
    public ConnectorSettings(Map<String, String> config, double workerFlushMs) {
        this(config, workerFlushMs, WorkerProducer.DEFAULT);
    }

    /** The connector's key of a setting of its producer. */
    static String override(String producerKey) {
        return PRODUCER_OVERRIDE + producerKey;
    }

    /** Whether the configuration is known. Advice needs it. */
    boolean isKnown() {
        return config.containsKey(CLASS);
    }

    Optional<String> text(String key) {
        return Optional.ofNullable(config.get(key)).map(String::trim).filter(text -> !text.isEmpty());
    }

    /** The value of a number. Empty if it is not set, or refers to a config provider. */
    OptionalDouble number(String key) {
        return number(text(key));
    }

    private static OptionalDouble number(Optional<String> text) {
        try {
            return text.map(Double::parseDouble).map(OptionalDouble::of).orElse(OptionalDouble.empty());
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** A setting of the connector's producer: its own, or else the worker's. Empty if Kafka's default is in force. */
    Optional<String> producerText(String producerKey) {
        return text(override(producerKey))
                .or(() -> Optional.ofNullable(workerProducer.settings().get(producerKey)));
    }

    /** The same of a number. */
    OptionalDouble producerNumber(String producerKey) {
        return number(producerText(producerKey));
    }

    /** The connector's class, or a name that Connect accepts for it. Empty if it is not known. */
    public String className() {
        return config.getOrDefault(CLASS, "");
    }

    /** Whether the connector is this project's. Connect also accepts its simple name, with or without its end. */
    public boolean isMicrobatch() {
        String name = className();
        return name.equals(MICROBATCH_CLASS)
                || name.equals("MicrobatchSourceConnector")
                || name.equals("MicrobatchSource");
    }

    /** The class of the connector that reads the source: the hosted one, if there is one. */
    public String sourceClass() {
        return isMicrobatch() ? config.getOrDefault(HOSTED_PREFIX + "class", "") : className();
    }

    /** Whether this project's connector has this {@code upstream.type}. */
    boolean hasUpstream(String type) {
        return isMicrobatch()
                && text(UPSTREAM).orElse(HOSTED).toLowerCase(Locale.ROOT).equals(type);
    }

    /** Whether this project's connector hosts another one. */
    public boolean isHosting() {
        return hasUpstream(HOSTED);
    }

    /** What reads the source, in a word: a class, or the {@code upstream.type} of this project's connector. */
    public String source() {
        return !isMicrobatch() || hasUpstream(HOSTED) ? sourceClass() : config.get(UPSTREAM);
    }

    /** The key under which the connector that reads the source has a setting of its own. */
    String sourceKey(String key) {
        return isMicrobatch() ? HOSTED_PREFIX + key : key;
    }

    /** Whether Debezium reads the source. Its aliases have no package, but nothing else has these settings. */
    boolean isDebezium() {
        boolean hasDatabase = config.keySet().stream().anyMatch(key -> key.startsWith(sourceKey("database.")));
        return sourceClass().startsWith(DEBEZIUM)
                || (hasDatabase && text(sourceKey("topic.prefix")).isPresent());
    }

    /**
     * Whether Debezium sends its database a query in each poll interval. Its connectors for SQL Server, Db2 and IBM i
     * do.
     */
    boolean queriesInEachPoll() {
        String name = sourceClass().toLowerCase(Locale.ROOT);
        return isDebezium() && Stream.of("sqlserver", "db2", "as400").anyMatch(name::contains);
    }

    /** The name of Debezium's MBeans. Empty if this is not Debezium, or if the value refers to a config provider. */
    String topicPrefix() {
        return isDebezium()
                ? text(sourceKey("topic.prefix"))
                        .filter(text -> !text.contains("${"))
                        .orElse("")
                : "";
    }

    /** When Connect ends a transaction. */
    String boundary() {
        return text(BOUNDARY).orElse("poll").toLowerCase(Locale.ROOT);
    }

    /** Whether the connector itself ends its transactions. */
    boolean hasOwnBoundaries() {
        return boundary().equals("connector");
    }

    boolean hasInterval() {
        return boundary().equals("interval");
    }

    /** The interval of Connect's transactions in milliseconds, whether it is in force or not. */
    double intervalMs() {
        return number(BOUNDARY_INTERVAL_MS).orElse(workerFlushMs);
    }

    /**
     * The longest interval to advise, in milliseconds, in steps of ten: half of the transaction timeout. The broker
     * aborts a transaction that is open for longer than the timeout.
     */
    double maxIntervalMs() {
        double timeoutMs = producerNumber(TRANSACTION_TIMEOUT_MS).orElse(TRANSACTION_TIMEOUT_MS_DEFAULT);
        return Math.floor(timeoutMs / 2 / 10) * 10;
    }

    /** Without values: one of them may be a secret. */
    @Override
    public String toString() {
        return "ConnectorSettings[" + config.size() + " settings]";
    }
}
