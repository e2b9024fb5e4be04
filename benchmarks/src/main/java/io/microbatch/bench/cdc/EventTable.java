package io.microbatch.bench.cdc;

import io.microbatch.testbed.PostgresServer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The table that the demo writes, and what the database says about it. */
final class EventTable {

    static final String NAME = "public.events";
    static final String INSERT = "INSERT INTO " + NAME
            + " (account, seq, phase, payload, written_at) VALUES (?, ?, ?, ?, clock_timestamp())";

    private static final String CREATE = "CREATE TABLE " + NAME + " (id bigserial PRIMARY KEY, account int NOT NULL,"
            + " seq bigint NOT NULL, phase int NOT NULL, payload text NOT NULL, written_at timestamptz NOT NULL)";

    private EventTable() {}

    static void create(PostgresServer postgres) {
        postgres.execute(CREATE);
    }

    /** Whether a connector is reading the database's log: from then on a row's latency is the pipeline's. */
    static boolean isStreamed(PostgresServer postgres) {
        AtomicBoolean streamed = new AtomicBoolean();
        postgres.query("SELECT 1 FROM pg_replication_slots WHERE active", row -> streamed.set(true));
        return streamed.get();
    }

    /** Removes every row. */
    static void empty(PostgresServer postgres) {
        postgres.execute("TRUNCATE " + NAME);
    }

    /** Drops the replication slots, which have to be inactive. */
    static void dropSlots(PostgresServer postgres) {
        postgres.execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
    }

    /** Every row, by id. */
    static Map<Long, TableRow> readAll(PostgresServer postgres) {
        Map<Long, TableRow> rows = new HashMap<>();
        postgres.query("SELECT id, account, seq, phase, payload FROM " + NAME, row -> {
            TableRow read =
                    new TableRow(row.getLong(1), row.getInt(2), row.getLong(3), row.getInt(4), row.getString(5));
            rows.put(read.id(), read);
        });
        return rows;
    }
}
