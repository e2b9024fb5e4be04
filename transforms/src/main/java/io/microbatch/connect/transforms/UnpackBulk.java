package io.microbatch.connect.transforms;

import io.microbatch.connect.bulk.BulkFormatException;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReaderConfig;
import io.microbatch.connect.bulk.BulkValues;
import io.microbatch.connect.bulk.InnerConverter;
import io.microbatch.connect.common.Version;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.transforms.Transformation;

/**
 * Replaces a bulk record by the array of its events, as bytes, as strings or converted.
 *
 * <p>A tombstone passes unchanged, and so does an array, so that the transform may run twice. Any other value that is
 * not a bulk record throws a {@link DataException}, which the connector's {@code errors.tolerance} handles. Task
 * thread.
 *
 * @param <R> the kind of record
 */
public class UnpackBulk<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Replace a bulk record by the array of its events, as bytes, as strings or as another converter reads "
                    + "them.";

    static final String AS_CONFIG = "as";
    static final String INNER_CONVERTER_CONFIG = "inner.converter";

    private static final String BYTES = "bytes";
    private static final String STRING = "string";
    private static final String CONVERTED = "converted";

    /** Its settings. */
    public static final ConfigDef CONFIG_DEF = BulkReaderConfig.define(new ConfigDef()
            .define(
                    AS_CONFIG,
                    Type.STRING,
                    BYTES,
                    ValidString.in(BYTES, STRING, CONVERTED),
                    Importance.HIGH,
                    "The elements of the array: 'bytes', 'string' for UTF-8 text, or 'converted' for the result of "
                            + INNER_CONVERTER_CONFIG + ".")
            .define(
                    INNER_CONVERTER_CONFIG,
                    Type.STRING,
                    "",
                    Importance.HIGH,
                    "The class of the converter for as=converted. Its settings have the prefix "
                            + INNER_CONVERTER_CONFIG + "."));

    private BulkValues values;

    @Override
    public void configure(Map<String, ?> configs) {
        AbstractConfig config = new AbstractConfig(CONFIG_DEF, configs, false);
        BulkLimits limits = BulkReaderConfig.limits(config);
        String inner = config.getString(INNER_CONVERTER_CONFIG);
        boolean converted = config.getString(AS_CONFIG).equals(CONVERTED);
        if (converted == inner.isBlank()) {
            throw new ConfigException(
                    converted
                            ? INNER_CONVERTER_CONFIG + " must be set with " + AS_CONFIG + "=" + CONVERTED
                                    + ": the class of the converter with which the events were written"
                            : INNER_CONVERTER_CONFIG + " requires " + AS_CONFIG + "=" + CONVERTED);
        }
        values = switch (config.getString(AS_CONFIG)) {
            case BYTES -> BulkValues.bytes(limits);
            case STRING -> BulkValues.strings(limits);
            default ->
                BulkValues.converted(
                        limits, new InnerConverter(inner, config.originalsWithPrefix(INNER_CONVERTER_CONFIG + ".")));
        };
    }

    @Override
    public R apply(R record) {
        Object value = record.value();
        if (value == null || value instanceof List) {
            return record;
        }
        SchemaAndValue events = unpack(record.topic(), value);
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                events.schema(),
                events.value(),
                record.timestamp());
    }

    private SchemaAndValue unpack(String topic, Object value) {
        try {
            if (value instanceof byte[] bytes) {
                return values.read(topic, bytes);
            }
            if (value instanceof ByteBuffer buffer) {
                return values.read(topic, buffer);
            }
        } catch (BulkFormatException e) {
            throw new DataException("A record of topic " + topic + " cannot be unpacked: " + e.getMessage(), e);
        }
        throw new DataException("A record of topic " + topic + " has a value of "
                + value.getClass().getName()
                + ", but a bulk record is bytes: set value.converter to ByteArrayConverter");
    }

    @Override
    public ConfigDef config() {
        return CONFIG_DEF;
    }

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public void close() {
        // Connect also closes a transform that it could not configure.
        if (values != null) {
            values.close();
        }
    }
}
