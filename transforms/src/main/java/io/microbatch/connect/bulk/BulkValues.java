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
 * The values of a bulk record's events as what Connect calls an array. Keys and timestamps of the events are not in it.
 *
 * <p>Each record is read whole or not at all: what cannot be read throws {@link BulkFormatException}, and events that
 * do not go into one array {@link DataException}. One thread.
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

    /** Each event as an array of bytes. */
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

    /** Each event as a text in UTF-8. */
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
     * Each event as a converter reads it. The schema is an array of theirs, made optional if an event is null; none, if
     * theirs have none. It is closed with these values.
     */
    public static BulkValues converted(BulkLimits limits, InnerConverter inner) {
        return new BulkValues(limits) {
            private Schema elementSchema;
            private Schema arraySchema;

            @Override
            SchemaAndValue values(String topic) {
                List<Object> values = new ArrayList<>(reader.count());
                Schema common = null;
                boolean known = false;
                boolean hasNull = false;
                while (reader.next()) {
                    SchemaAndValue converted = inner.toConnectData(topic, reader.value());
                    if (converted.value() != null) {
                        if (known && !Objects.equals(common, converted.schema())) {
                            throw new DataException("Event " + values.size() + " of a bulk record has another schema "
                                    + "than those before it, and an array has one: read the events as bytes");
                        }
                        common = converted.schema();
                        known = true;
                    } else {
                        hasNull = true;
                    }
                    values.add(converted.value());
                }
                if (common == null) {
                    return new SchemaAndValue(null, values);
                }
                if (hasNull && !common.isOptional()) {
                    common = OptionalSchema.of(common);
                    OptionalSchema.rehouse(values, common);
                }
                return new SchemaAndValue(arrayOf(common), values);
            }

            @Override
            public void close() {
                inner.close();
            }

            /**
             * One schema object for one of the elements, since a cache by schema would otherwise hold one for each
             * record.
             */
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
     * @param topic what a converter is told
     */
    public SchemaAndValue read(String topic, byte[] record) {
        BulkReader ignored = reader.read(record);
        return values(topic);
    }

    /** The same of a record that is in a buffer. */
    public SchemaAndValue read(String topic, ByteBuffer record) {
        BulkReader ignored = reader.read(record);
        return values(topic);
    }

    abstract SchemaAndValue values(String topic);

    /** Closes the converter, if there is one. */
    @Override
    public void close() {}
}
