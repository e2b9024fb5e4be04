package io.microbatch.bench.micro;

import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Change events shaped like Debezium's for PostgreSQL: an envelope around rows of five columns and a source. Stateless.
 */
final class ChangeRecords {

    /** What the JSON of an event has at least, without its schema. */
    static final int MIN_JSON_BYTES = 400;

    private static final Schema KEY =
            SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();
    private static final Schema ROW = SampleRecords.fiveFields().optional().build();
    private static final Schema SOURCE = SchemaBuilder.struct()
            .field("version", Schema.STRING_SCHEMA)
            .field("connector", Schema.STRING_SCHEMA)
            .field("name", Schema.STRING_SCHEMA)
            .field("ts_ms", Schema.INT64_SCHEMA)
            .field("snapshot", Schema.OPTIONAL_STRING_SCHEMA)
            .field("db", Schema.STRING_SCHEMA)
            .field("sequence", Schema.OPTIONAL_STRING_SCHEMA)
            .field("schema", Schema.STRING_SCHEMA)
            .field("table", Schema.STRING_SCHEMA)
            .field("txId", Schema.OPTIONAL_INT64_SCHEMA)
            .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
            .field("xmin", Schema.OPTIONAL_INT64_SCHEMA)
            .build();
    private static final Schema ENVELOPE = SchemaBuilder.struct()
            .name("shop.public.orders.Envelope")
            .field("before", ROW)
            .field("after", ROW)
            .field("source", SOURCE)
            .field("op", Schema.STRING_SCHEMA)
            .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
            .build();

    private ChangeRecords() {}

    /** As many as {@link SampleRecords#COUNT}, none like another. */
    static SourceRecord[] updates() {
        SourceRecord[] records = new SourceRecord[SampleRecords.COUNT];
        for (int i = 0; i < records.length; i++) {
            Struct envelope = new Struct(ENVELOPE)
                    .put("before", SampleRecords.row(ROW, i, "note"))
                    .put("after", SampleRecords.row(ROW, i, "changed"))
                    .put("source", source(i))
                    .put("op", "u")
                    .put("ts_ms", SampleRecords.TIMESTAMP_MS + i);
            records[i] = new SourceRecord(
                    Map.of("server", "shop"),
                    Map.of("lsn", (long) i),
                    "orders",
                    null,
                    KEY,
                    new Struct(KEY).put("id", (long) i),
                    ENVELOPE,
                    envelope,
                    SampleRecords.TIMESTAMP_MS);
        }
        return records;
    }

    private static Struct source(int i) {
        return new Struct(SOURCE)
                .put("version", "3.6.1.Final")
                .put("connector", "postgresql")
                .put("name", "shop")
                .put("ts_ms", SampleRecords.TIMESTAMP_MS + i)
                .put("snapshot", "false")
                .put("db", "postgres")
                .put("sequence", "[\"" + i + "\",\"" + (i + 1) + "\"]")
                .put("schema", "public")
                .put("table", "orders")
                .put("txId", 700L + i)
                .put("lsn", 24_000_000L + i);
    }
}
