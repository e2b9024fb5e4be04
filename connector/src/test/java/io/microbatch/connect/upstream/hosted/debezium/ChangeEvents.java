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

    /** A record of Debezium's heartbeat topic, with the time of the last change. It has no envelope. */
    public static SourceRecord heartbeat(long epochMs) {
        return new SourceRecord(
                Map.of("server", "s"),
                Map.of("lsn", 1L),
                "__debezium-heartbeat.s",
                null,
                null,
                null,
                null,
                null,
                epochMs);
    }

    private static SourceRecord record(Schema schema, Object value, long offset) {
        return new SourceRecord(
                Map.of("server", "s"), Map.of("lsn", offset), "t", Schema.STRING_SCHEMA, "key", schema, value);
    }
}
