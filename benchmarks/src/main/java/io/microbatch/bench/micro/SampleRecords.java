package io.microbatch.bench.micro;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** The records that transforms are measured over: as many as a small batch has, none like another. Stateless. */
final class SampleRecords {

    /** A power of two. */
    static final int COUNT = 1_024;

    /** What InsertField inserts. */
    static final Map<String, String> INSERTED = Map.of("static.field", "origin", "static.value", "here");

    static final long TIMESTAMP_MS = 1_700_000_000_000L;
    private static final Schema ONE =
            SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();
    private static final Schema FIVE = fiveFields().build();

    private SampleRecords() {}

    /** Of the microbatch connector, all of one batch. */
    static SourceRecord[] events() {
        ReturnedBatch batch = new ReturnedBatch(1, PressureLevel.L6_THROUGHPUT, 25_000_000);
        batch.complete(COUNT, 0, 0, TIMESTAMP_MS);
        SourceRecord[] plain = structs();
        SourceRecord[] events = new SourceRecord[COUNT];
        for (int i = 0; i < COUNT; i++) {
            EventRecord event = EventRecord.withoutOrigin(plain[i], plain[i], 100, i * 1_000L);
            event.joins(batch, i);
            events[i] = event;
        }
        return events;
    }

    static SourceRecord[] smallStructs() {
        return of(ONE, i -> new Struct(ONE).put("id", (long) i));
    }

    static SourceRecord[] structs() {
        return of(FIVE, i -> row(FIVE, i, i % 2 == 0 ? null : "note"));
    }

    /** A row of an account. */
    static SchemaBuilder fiveFields() {
        return SchemaBuilder.struct()
                .field("id", Schema.INT64_SCHEMA)
                .field("account", Schema.STRING_SCHEMA)
                .field("amount", Schema.INT64_SCHEMA)
                .field("note", Schema.OPTIONAL_STRING_SCHEMA)
                .field("at", Schema.INT64_SCHEMA);
    }

    /** The row of this number, of a schema of {@link #fiveFields}. */
    static Struct row(Schema schema, int i, String note) {
        return new Struct(schema)
                .put("id", (long) i)
                .put("account", "account-" + i)
                .put("amount", 100L * i)
                .put("note", note)
                .put("at", TIMESTAMP_MS + i);
    }

    static SourceRecord[] maps() {
        return of(null, i -> {
            Map<String, Object> value = new HashMap<>();
            value.put("id", (long) i);
            value.put("account", "account-" + i);
            value.put("amount", 100L * i);
            value.put("note", i % 2 == 0 ? null : "note");
            value.put("at", TIMESTAMP_MS + i);
            return value;
        });
    }

    private static SourceRecord[] of(Schema schema, IntFunction<Object> value) {
        SourceRecord[] records = new SourceRecord[COUNT];
        for (int i = 0; i < COUNT; i++) {
            records[i] = new SourceRecord(
                    Map.of("p", 1),
                    Map.of("o", i),
                    "orders",
                    null,
                    Schema.STRING_SCHEMA,
                    "key-" + i,
                    schema,
                    value.apply(i),
                    TIMESTAMP_MS);
        }
        return records;
    }
}
