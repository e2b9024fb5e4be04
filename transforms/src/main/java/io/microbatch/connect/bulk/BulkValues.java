package io.microbatch.connect.bulk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.errors.DataException;

/**
 * The values of a bulk record's events as a Connect array, without their keys and timestamps.
 *
 * <p>A record is read completely or not at all. A malformed record throws {@link BulkFormatException}; events that do
 * not fit into one array throw {@link DataException}. One thread.
 */
public abstract class BulkValues implements AutoCloseable {

    private static final Schema BYTES =
            SchemaBuilder.array(Schema.OPTIONAL_BYTES_SCHEMA).build();
    private static final Schema STRINGS =
            SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).build();

    final BulkReader reader;

    private BulkValues(BulkLimits limits) {
        reader = new BulkReader(limits);
    }

    /** Reads each value as bytes. */
    public static BulkValues bytes(BulkLimits limits) {
        return new BulkValues(limits) {
            @Override
            SchemaAndValue values(String topic) {
                List<byte[]> values = new ArrayList<>(reader.count());
                while (reader.next()) {
                    values.add(reader.value());
                }
                return new SchemaAndValue(BYTES, values);
            }
        };
    }

    /** Reads each value as UTF-8 text. */
    public static BulkValues strings(BulkLimits limits) {
        return new BulkValues(limits) {
            @Override
            SchemaAndValue values(String topic) {
                List<String> values = new ArrayList<>(reader.count());
                while (reader.next()) {
                    int length = reader.valueLength();
                    values.add(
                            length < 0
                                    ? null
                                    : new String(reader.array(), reader.valueOffset(), length, StandardCharsets.UTF_8));
                }
                return new SchemaAndValue(STRINGS, values);
            }
        };
    }

    /**
     * Reads each value with a converter. The element schema is that of the events, made optional if an event is null;
     * the array has no schema if the events have none. If all events are null, it is the converter's schema of null.
     * {@link #close} closes the converter.
     */
    public static BulkValues converted(BulkLimits limits, InnerConverter inner) {
        return new BulkValues(limits) {
            private Schema elementSchema;
            private Schema arraySchema;

            @Override
            SchemaAndValue values(String topic) {
                List<Object> values = new ArrayList<>(reader.count());
                Schema common = null;
                Schema ofNull = null;
                boolean known = false;
                boolean hasNull = false;
                while (reader.next()) {
                    SchemaAndValue converted = inner.toConnectData(topic, reader.value());
                    if (converted.value() != null) {
                        if (known && !Objects.equals(common, converted.schema())) {
                            throw new DataException("Event " + values.size() + " of a bulk record has another schema "
                                    + "than the events before it, and an array has one schema: read the events as "
                                    + "bytes");
                        }
                        common = converted.schema();
                        known = true;
                    } else {
                        hasNull = true;
                        ofNull = ofNull == null ? converted.schema() : ofNull;
                    }
                    values.add(converted.value());
                }
                common = known ? common : ofNull;
                if (common == null) {
                    return new SchemaAndValue(null, values);
                }
                if (hasNull && !common.isOptional()) {
                    common = OptionalSchema.of(common);
                    OptionalSchema.rebindStructs(values, common);
                }
                return new SchemaAndValue(arrayOf(common), values);
            }

            @Override
            public void close() {
                inner.close();
            }

            /** Reuses the array schema, because a cache by schema object would otherwise hold one per record. */
            private Schema arrayOf(Schema common) {
                if (!common.equals(elementSchema)) {
                    elementSchema = common;
                    arraySchema = SchemaBuilder.array(common).build();
                }
                return arraySchema;
            }
        };
    }

    /**
     * All events of a record.
     *
     * @param topic the topic that the converter gets
     */
    public SchemaAndValue read(String topic, byte[] record) {
        BulkReader ignored = reader.read(record);
        return values(topic);
    }

    /** All events of a record in a buffer. */
    public SchemaAndValue read(String topic, ByteBuffer record) {
        BulkReader ignored = reader.read(record);
        return values(topic);
    }

    abstract SchemaAndValue values(String topic);

    @Override
    public void close() {}
}
