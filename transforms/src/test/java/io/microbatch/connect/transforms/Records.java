package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.source.SourceRecord;

/** Source and sink records for the tests. */
final class Records {

    static final long TIMESTAMP_MS = 1_700_000_000_000L;

    static final Schema ORDER = SchemaBuilder.struct()
            .field("id", Schema.INT64_SCHEMA)
            .field("note", Schema.OPTIONAL_STRING_SCHEMA)
            .build();

    private Records() {}

    static SourceRecord source(Schema keySchema, Object key, Schema valueSchema, Object value) {
        return new SourceRecord(
                Map.of("p", 1),
                Map.of("o", 2),
                "orders",
                3,
                keySchema,
                key,
                valueSchema,
                value,
                TIMESTAMP_MS,
                new ConnectHeaders().addString("trace", "abc").addInt("retries", 2));
    }

    static SourceRecord source() {
        return source(Schema.STRING_SCHEMA, "key", Schema.STRING_SCHEMA, "value");
    }

    static SinkRecord sink(Schema keySchema, Object key, Schema valueSchema, Object value) {
        return new SinkRecord(
                "orders",
                3,
                keySchema,
                key,
                valueSchema,
                value,
                77,
                TIMESTAMP_MS,
                TimestampType.CREATE_TIME,
                new ConnectHeaders().addString("trace", "abc").addInt("retries", 2));
    }

    /** Source records with and without schemas, keys and values. */
    static List<SourceRecord> sources() {
        Struct order = new Struct(ORDER).put("id", 1L).put("note", "n");
        return List.of(
                source(),
                source(ORDER, order, ORDER, order),
                source(null, Map.of("id", 1), null, Map.of("id", 1L, "note", "n")),
                source(null, null, Schema.BYTES_SCHEMA, new byte[] {1, 2}),
                source(Schema.STRING_SCHEMA, "gone", null, null),
                source(null, null, null, null));
    }

    /** The same contents as sink records. */
    static List<SinkRecord> sinks() {
        return sources().stream()
                .map(record -> sink(record.keySchema(), record.key(), record.valueSchema(), record.value()))
                .toList();
    }

    /** A batch of ten at L4, number 7 of its task, assembled 25 ms after the event arrived. */
    static ReturnedBatch batch() {
        ReturnedBatch batch = new ReturnedBatch(7, PressureLevel.L4_MODERATE, 25_500_000);
        batch.complete(10, 0, 125_000_000, TIMESTAMP_MS);
        return batch;
    }

    /** A record with a batch, which newRecord keeps, like the connector's records. */
    static final class Placed extends SourceRecord implements BatchMember {

        private final ReturnedBatch batch;
        private final int position;

        Placed(SourceRecord like, ReturnedBatch batch, int position) {
            super(
                    like.sourcePartition(),
                    like.sourceOffset(),
                    like.topic(),
                    like.kafkaPartition(),
                    like.keySchema(),
                    like.key(),
                    like.valueSchema(),
                    like.value(),
                    like.timestamp(),
                    like.headers());
            this.batch = batch;
            this.position = position;
        }

        @Override
        public SourceRecord newRecord(
                String topic,
                Integer kafkaPartition,
                Schema keySchema,
                Object key,
                Schema valueSchema,
                Object value,
                Long timestamp,
                Iterable<Header> headers) {
            SourceRecord made =
                    super.newRecord(topic, kafkaPartition, keySchema, key, valueSchema, value, timestamp, headers);
            return new Placed(made, batch, position);
        }

        @Override
        public ReturnedBatch batch() {
            return batch;
        }

        @Override
        public int batchPosition() {
            return position;
        }

        @Override
        public long arrivalNanos() {
            return 100_000_000;
        }
    }
}
