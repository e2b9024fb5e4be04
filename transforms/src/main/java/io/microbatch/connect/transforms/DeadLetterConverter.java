package io.microbatch.connect.transforms;

import io.microbatch.connect.common.DeadLetterSchema;
import io.microbatch.connect.common.Plugin;
import io.microbatch.connect.common.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;

/**
 * The converter of keys, values and headers with {@code deadletter.mode=try}, where dead letters and unconverted events
 * pass through the same transforms. {@link #OVERVIEW_DOC} describes it. Task thread.
 */
public final class DeadLetterConverter implements Converter, HeaderConverter, Versioned {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Writes the bytes of a dead letter unchanged. For everything else it calls the converter that 'delegate' "
                    + "names, with the settings under that key. It is for key.converter, value.converter and "
                    + "header.converter of a connector with deadletter.mode=try.";

    /** The key of the delegate's class. */
    public static final String DELEGATE_CONFIG = "delegate";

    static final String DELEGATE_DOC =
            "The class of the converter of everything except dead letters. Its settings have this key as prefix. The "
                    + "default for headers is org.apache.kafka.connect.storage.SimpleHeaderConverter.";

    /** The settings. */
    public static final ConfigDef CONFIG_DEF =
            new ConfigDef().define(DELEGATE_CONFIG, Type.STRING, "", Importance.HIGH, DELEGATE_DOC);

    private static final String HEADERS = "header";
    private static final String HEADERS_DEFAULT = "org.apache.kafka.connect.storage.SimpleHeaderConverter";
    private static final String TYPE_CONFIG = "converter.type";

    /** Null for headers. */
    private Converter delegate;

    /** Null for keys and values. */
    private HeaderConverter headerDelegate;

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public ConfigDef config() {
        return CONFIG_DEF;
    }

    /**
     * Configures the converter for keys or values. Exceptions of the delegate are rethrown.
     *
     * @throws ConfigException if the delegate is missing, not installed or not a converter
     */
    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        String kind = isKey ? "key" : "value";
        Map<String, Object> settings = settings(configs, kind);
        Converter created = created(configs, kind, "", Converter.class);
        configure(created, () -> created.configure(settings, isKey));
        delegate = created;
    }

    /**
     * Configures the converter for headers.
     *
     * @throws ConfigException as for keys and values
     */
    @Override
    public void configure(Map<String, ?> configs) {
        Map<String, Object> settings = settings(configs, HEADERS);
        HeaderConverter created = created(configs, HEADERS, HEADERS_DEFAULT, HeaderConverter.class);
        configure(created, () -> created.configure(settings));
        headerDelegate = created;
    }

    private static Map<String, Object> settings(Map<String, ?> configs, String kind) {
        Map<String, Object> settings = new HashMap<>(
                new AbstractConfig(CONFIG_DEF, configs, false).originalsWithPrefix(DELEGATE_CONFIG + "."));
        settings.put(TYPE_CONFIG, kind);
        return settings;
    }

    private static <T> T created(Map<String, ?> configs, String kind, String fallback, Class<T> type) {
        String named = new AbstractConfig(CONFIG_DEF, configs, false).getString(DELEGATE_CONFIG);
        String className = named.isBlank() ? fallback : named;
        String key = kind + ".converter." + DELEGATE_CONFIG;
        if (className.isBlank()) {
            throw new ConfigException(key + " is missing: set it to the class that " + kind
                    + ".converter would have without dead letters");
        }
        try {
            return Plugin.create(className, type);
        } catch (ConnectException e) {
            ConfigException unusable = new ConfigException(key + ": " + e.getMessage() + ". Set it to the class that "
                    + kind + ".converter would have without dead letters");
            unusable.initCause(e);
            throw unusable;
        }
    }

    /** Configures a delegate, and closes it if that fails. */
    private static void configure(Object created, Runnable configuration) {
        try {
            boolean ignored = under(created, () -> {
                configuration.run();
                return true;
            });
        } catch (Throwable t) {
            try {
                Plugin.close(created);
            } catch (RuntimeException e) {
                t.addSuppressed(e);
            }
            throw t;
        }
    }

    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        return DeadLetterSchema.marks(schema, value)
                ? (byte[]) value
                : under(delegate, () -> delegate.fromConnectData(topic, schema, value));
    }

    @Override
    public byte[] fromConnectData(String topic, Headers headers, Schema schema, Object value) {
        return DeadLetterSchema.marks(schema, value)
                ? (byte[]) value
                : under(delegate, () -> delegate.fromConnectData(topic, headers, schema, value));
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        return under(delegate, () -> delegate.toConnectData(topic, value));
    }

    @Override
    public SchemaAndValue toConnectData(String topic, Headers headers, byte[] value) {
        return under(delegate, () -> delegate.toConnectData(topic, headers, value));
    }

    @Override
    public byte[] fromConnectHeader(String topic, String headerKey, Schema schema, Object value) {
        return DeadLetterSchema.marks(schema, value)
                ? (byte[]) value
                : under(headerDelegate, () -> headerDelegate.fromConnectHeader(topic, headerKey, schema, value));
    }

    @Override
    public SchemaAndValue toConnectHeader(String topic, String headerKey, byte[] value) {
        return under(headerDelegate, () -> headerDelegate.toConnectHeader(topic, headerKey, value));
    }

    /** Closes the delegate, if there is one: Connect also closes a converter that it could not configure. */
    @Override
    public void close() {
        Object configured = delegate != null ? delegate : headerDelegate;
        if (configured != null) {
            Plugin.close(configured);
        }
    }

    private static <T> T under(Object plugin, Supplier<T> code) {
        return Plugin.under(plugin.getClass().getClassLoader(), code);
    }
}
