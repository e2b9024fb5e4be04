package io.microbatch.connect.bulk;

import io.microbatch.connect.common.Version;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;

/** The value converter for sink connectors that read bulk records. {@link #OVERVIEW_DOC} describes it. Task thread. */
public final class BulkConverter implements Converter, Versioned {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Reads a bulk record as an array of its events, for sink connectors. An element is the bytes of an event's "
                    + "value, or what another converter reads from them. Keys and timestamps are left out. A damaged "
                    + "record, or one that is not a bulk record, is an error of that record. The converter only reads: "
                    + "a source connector packs events by its own settings.";

    /** The key of the inner converter. */
    public static final String INNER_CONVERTER_CONFIG = "inner.converter";

    static final String INNER_CONVERTER_DOC =
            "The class of the converter that reads each event's value. Its settings have this key as prefix. "
                    + "Without a class, each element is the bytes of a value.";

    /** The settings. */
    public static final ConfigDef CONFIG_DEF = BulkReaderConfig.define(
            new ConfigDef().define(INNER_CONVERTER_CONFIG, Type.STRING, "", Importance.HIGH, INNER_CONVERTER_DOC));

    private BulkValues values;

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public ConfigDef config() {
        return CONFIG_DEF;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (isKey) {
            throw new ConfigException(
                    "key.converter must not be BulkConverter: only values are bulk records. Use the converter with "
                            + "which the keys were written");
        }
        AbstractConfig config = new AbstractConfig(CONFIG_DEF, configs, false);
        BulkLimits limits = BulkReaderConfig.limits(config);
        String inner = config.getString(INNER_CONVERTER_CONFIG);
        values = inner.isBlank() ? BulkValues.bytes(limits) : BulkValues.converted(limits, inner(inner, config));
    }

    private static InnerConverter inner(String className, AbstractConfig config) {
        try {
            return new InnerConverter(className, config.originalsWithPrefix(INNER_CONVERTER_CONFIG + "."));
        } catch (ConnectException e) {
            ConfigException unusable = new ConfigException(INNER_CONVERTER_CONFIG + ": " + e.getMessage()
                    + ". Set it to the class that value.converter would have for single events");
            unusable.initCause(e);
            throw unusable;
        }
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        if (value == null) {
            return SchemaAndValue.NULL;
        }
        try {
            return values.read(topic, value);
        } catch (BulkFormatException e) {
            throw new DataException("A value of " + topic + " is not a bulk record: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        // Connect also closes a converter that it could not configure.
        if (values != null) {
            values.close();
        }
    }

    /** Always throws {@link DataException}, because only a source connector packs events. */
    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        throw new DataException("BulkConverter only reads bulk records: it is for sink connectors. To write bulk "
                + "records, set bulk.enabled=true in the source connector and keep the converter of the events");
    }
}
