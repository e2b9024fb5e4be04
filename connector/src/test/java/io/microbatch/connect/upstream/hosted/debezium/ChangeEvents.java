package io.microbatch.connect.upstream.hosted.debezium;

import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** Records in Debezium's format. */
public final class ChangeEvents {

    private static final Schema ENVELOPE =
            SchemaBuilder.struct().field("op", Schema.STRING_SCHEMA).build();

    private static final Schema SOURCE =
            SchemaBuilder.struct().field("ts_ms", Schema.INT64_SCHEMA).build();

    private static final Schema WITH_SOURCE = SchemaBuilder.struct()
            .field("op", Schema.STRING_SCHEMA)
            .field("source", SOURCE)
            .build();

    private static final Schema HEARTBEAT =
            SchemaBuilder.struct().field("ts_ms", Schema.INT64_SCHEMA).build();

    private ChangeEvents() {}

    /** A change of this operation. */
    public static SourceRecord change(String operation, long offset) {
        return record(ENVELOPE, new Struct(ENVELOPE).put("op", operation), offset);
    }

    /** A record without a value. */
    public static SourceRecord tombstone(long offset) {
        return record(null, null, offset);
    }

    /** The record with a header of a changed primary key. */
    static SourceRecord with(String header, SourceRecord record) {
        record.headers().addString(header, "key");
        return record;
    }

    /** An update that the database committed at this time. */
    public static SourceRecord committed(long epochMs) {
        Struct source = new Struct(SOURCE).put("ts_ms", epochMs);
        return record(WITH_SOURCE, new Struct(WITH_SOURCE).put("op", "u").put("source", source), 1);
    }

    /** A record of Debezium's heartbeat topic. It has no envelope, and no timestamp of its own. */
    public static SourceRecord heartbeat() {
        Struct value = new Struct(HEARTBEAT).put("ts_ms", System.currentTimeMillis());
        return new SourceRecord(
                Map.of("server", "s"),
                Map.of("lsn", 1L),
                "__debezium-heartbeat.s",
                0,
                Schema.STRING_SCHEMA,
                "s",
                HEARTBEAT,
                value);
    }

    private static SourceRecord record(Schema schema, Object value, long offset) {
        return new SourceRecord(
                Map.of("server", "s"), Map.of("lsn", offset), "t", Schema.STRING_SCHEMA, "key", schema, value);
    }
}
