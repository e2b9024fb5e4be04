package io.microbatch.connect.console;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the console needs of the worker's properties: how the workers of the cluster are reached, and what the producers
 * of connectors have from them. Immutable; any thread. Its text shows no value.
 *
 * @param properties the worker's properties
 */
record WorkerProperties(Map<String, ?> properties) {

    private static final Logger log = LoggerFactory.getLogger(WorkerProperties.class);

    private static final String HTTP = "http";
    private static final String HTTPS = "https";
    /** The end of the names of Connect's own policies. Connect accepts a name with and without it. */
    private static final String POLICY_SUFFIX = "ConnectorClientConfigOverridePolicy";

    /** The settings of a producer that advice depends on. None of them is a secret. */
    private static final List<String> PRODUCER_KEYS = List.of(
            ProducerMemory.BATCH_SIZE,
            ProducerMemory.BUFFER_MEMORY,
            ProducerLoad.LINGER_MS,
            ProducerLoad.COMPRESSION,
            ConnectorSettings.TRANSACTION_TIMEOUT_MS);

    private static final String LISTENER_PREFIX = "listeners.https.";

    /** How the workers advertise themselves. They choose in the same way from the same properties. */
    String scheme() {
        String advertised = text("rest.advertised.listener");
        if (!advertised.isEmpty()) {
            return advertised.toLowerCase(Locale.ROOT);
        }
        String listeners = text("listeners").toLowerCase(Locale.ROOT);
        return listeners.contains(HTTPS + "://") && !listeners.contains(HTTP + "://") ? HTTPS : HTTP;
    }

    /** The worker's {@code offset.flush.interval.ms}. */
    double flushMs() {
        try {
            return Double.parseDouble(text("offset.flush.interval.ms"));
        } catch (NumberFormatException e) {
            return ConnectorSettings.FLUSH_MS_DEFAULT;
        }
    }

    /** What the producers of connectors have from this worker. */
    WorkerProducer producer() {
        Map<String, String> settings = new HashMap<>();
        for (String key : PRODUCER_KEYS) {
            String value = text("producer." + key);
            if (!value.isEmpty()) {
                settings.put(key, value);
            }
        }
        return new WorkerProducer(settings, overrides());
    }

    /**
     * The keys of a producer that a connector may override, or empty if it may override all. {@code None} allows none,
     * {@code Principal} only those of authentication, and {@code Allowlist}, from Kafka 4.2 on, those of a list
     * (KIP-1188). A policy that is not Kafka's may refuse some too.
     */
    private Optional<Set<String>> overrides() {
        String policy = text("connector.client.config.override.policy");
        String name = policy.substring(policy.lastIndexOf('.') + 1).replace(POLICY_SUFFIX, "");
        return switch (name) {
            case "None", "Principal" -> Optional.of(Set.of());
            case "Allowlist" ->
                Optional.of(Arrays.stream(text("connector.client.config.override.allowlist")
                                .split(","))
                        .map(String::trim)
                        .collect(Collectors.toSet()));
            default -> Optional.empty();
        };
    }

    /**
     * What the worker trusts when it asks another one. Null if the workers do not speak TLS, or if the properties
     * cannot be used. The JVM's own trust store then decides.
     */
    SSLContext tls() {
        if (!scheme().equals(HTTPS)) {
            return null;
        }
        Map<String, Object> ssl = new HashMap<>();
        properties.forEach((key, value) -> {
            if (key.startsWith("ssl.")) {
                ssl.putIfAbsent(key, value);
            } else if (key.startsWith(LISTENER_PREFIX)) {
                ssl.put(key.substring(LISTENER_PREFIX.length()), value);
            }
        });
        ConfigDef definition = new ConfigDef();
        SslConfigs.addClientSslSupport(definition);
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(new AbstractConfig(definition, ssl, false).values());
            return factory.sslContext();
        } catch (RuntimeException | LinkageError e) {
            log.warn("The console cannot use the worker's TLS settings. It asks other workers with the JVM's own", e);
            return null;
        }
    }

    private String text(String key) {
        Object value = properties.get(key);
        return value == null ? "" : value.toString().trim();
    }

    @Override
    public String toString() {
        return "WorkerProperties[" + properties.size() + " properties]";
    }
}
