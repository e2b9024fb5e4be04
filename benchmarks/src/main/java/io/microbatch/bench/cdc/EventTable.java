package io.microbatch.bench.cdc;

import io.microbatch.testbed.PostgresServer;
import java.util.HashMap;
import java.util.Map;

/** The table that the demo writes, and what the database says about it. */
final class EventTable {

    static final String NAME = "public.events";

    private static final String CREATE = "CREATE TABLE " + NAME + " (id bigserial PRIMARY KEY, account int NOT NULL,"
            + " seq bigint NOT NULL, phase int NOT NULL, payload text NOT NULL, written_at timestamptz NOT NULL)";

    private EventTable() {}

    static void create(PostgresServer postgres) {
        postgres.execute(CREATE);
    }

    /** Removes every row. */
    static void empty(PostgresServer postgres) {
        postgres.execute("TRUNCATE " + NAME);
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
