package io.microbatch.connect.console;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the console needs of the worker's properties: how the workers of the cluster are reached. Immutable; any thread.
 * Its text shows no value.
 *
 * @param properties the worker's properties
 */
record WorkerProperties(Map<String, ?> properties) {

    private static final Logger log = LoggerFactory.getLogger(WorkerProperties.class);

    private static final String HTTP = "http";
    private static final String HTTPS = "https";
    /** The end of the names of Connect's own policies. Connect accepts a name with and without it. */
    private static final String POLICY_SUFFIX = "ConnectorClientConfigOverridePolicy";

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

    /**
     * Whether the worker accepts {@code producer.override.linger.ms} and the like. {@code None} refuses all such keys,
     * and {@code Principal} all but those of authentication. A policy that is not one of these may refuse them too.
     */
    boolean allowsOverrides() {
        String policy = text("connector.client.config.override.policy");
        String name = policy.substring(policy.lastIndexOf('.') + 1).replace(POLICY_SUFFIX, "");
        return !name.equals("None") && !name.equals("Principal");
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
