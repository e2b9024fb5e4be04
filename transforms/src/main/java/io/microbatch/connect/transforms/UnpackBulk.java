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
 * Replaces a bulk record by the array of its events: bytes, strings, or what a converter makes of them.
 *
 * <p>A tombstone passes, and so does an array, which is what a second run gets. Anything else that is not a bulk record
 * is a {@link DataException}, which the connector's {@code errors.tolerance} decides about. Task thread.
 *
 * @param <R> the kind of record
 */
public class UnpackBulk<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {

    /** What it does. */
    public static final String OVERVIEW_DOC =
            "Replace a bulk record by the array of its events, as bytes, strings or what another converter makes "
                    + "of them.";

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
                    "What becomes of each event: bytes, string for a text in UTF-8, or converted for what "
                            + INNER_CONVERTER_CONFIG + " makes of it.")
            .define(
                    INNER_CONVERTER_CONFIG,
                    Type.STRING,
                    "",
                    Importance.HIGH,
                    "The class of the converter for as=converted. Its settings are given with the prefix "
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
                                    + ": the class of the converter that the events were written with"
                            : INNER_CONVERTER_CONFIG + " needs " + AS_CONFIG + "=" + CONVERTED);
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
                + ", and a bulk record is bytes: set value.converter to ByteArrayConverter");
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
        // Connect closes what it could not configure, too.
        if (values != null) {
            values.close();
        }
    }
}
