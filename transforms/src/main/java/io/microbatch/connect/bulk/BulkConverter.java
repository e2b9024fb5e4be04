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

/**
 * The value converter for sink connectors that read bulk records: {@link #OVERVIEW_DOC}. It is called by the one thread
 * of its task.
 */
public final class BulkConverter implements Converter, Versioned {

    /** What it does, for people who choose one. */
    public static final String OVERVIEW_DOC =
            "Makes an array of the events of a bulk record, for sink connectors: of bytes, or of what "
                    + "another converter makes of each event's value. Keys and timestamps of events are left out. A "
                    + "record that is not a bulk record, or is damaged, is an error of that record. It only reads: a "
                    + "source connector packs events by its own settings.";

    /** The key of the inner converter. */
    public static final String INNER_CONVERTER_CONFIG = "inner.converter";

    static final String INNER_CONVERTER_DOC =
            "The class of the converter that reads each event's value; its settings follow under this key. "
                    + "Left out, an event is its bytes.";

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
                    "key.converter must not be BulkConverter: only values are bulk records. Use the converter that the "
                            + "keys were written with");
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
            throw new ConfigException(INNER_CONVERTER_CONFIG + ": " + e.getMessage()
                    + ". Name the class that value.converter would name for single events");
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
        // Connect may close what it could not configure.
        if (values != null) {
            values.close();
        }
    }

    /** Always fails: see {@link #OVERVIEW_DOC}. */
    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        throw new DataException("BulkConverter reads bulk records and writes none: it is for sink connectors. To write "
                + "them, set bulk.enabled=true in the connector and keep the converter of the events");
    }
}
