package io.microbatch.bench.cdc;

import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** The table that the demo writes, and what the database says about it. */
final class EventTable {

    static final String NAME = "public.events";
    static final String INSERT = "INSERT INTO " + NAME
            + " (account, seq, phase, payload, written_at) VALUES (?, ?, ?, ?, clock_timestamp())";

    private static final String CREATE = "CREATE TABLE " + NAME + " (id bigserial PRIMARY KEY, account int NOT NULL,"
            + " seq bigint NOT NULL, phase int NOT NULL, payload text NOT NULL, written_at timestamptz NOT NULL)";
    private static final int FETCH_SIZE = 10_000;

    private EventTable() {}

    static void create(PostgresServer postgres) throws SQLException {
        execute(postgres, CREATE);
    }

    /** Whether a connector is reading the database's log: from then on a row's latency is the pipeline's. */
    static boolean isStreamed(PostgresServer postgres) {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1 FROM pg_replication_slots WHERE active")) {
            return rows.next();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot ask for the replication slot", e);
        }
    }

    /** Removes every row. */
    static void empty(PostgresServer postgres) throws SQLException {
        execute(postgres, "TRUNCATE " + NAME);
    }

    /** Drops the replication slots, which have to be inactive. */
    static void dropSlots(PostgresServer postgres) throws SQLException {
        execute(postgres, "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
    }

    private static void execute(PostgresServer postgres, String sql) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            boolean ignored = statement.execute(sql);
        }
    }

    /** Every row, by id. */
    static Map<Long, TableRow> readAll(PostgresServer postgres) throws SQLException {
        Map<Long, TableRow> rows = new HashMap<>();
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            // Without a transaction the driver fetches everything at once, whatever the fetch size.
            connection.setAutoCommit(false);
            statement.setFetchSize(FETCH_SIZE);
            try (ResultSet all = statement.executeQuery("SELECT id, account, seq, phase, payload FROM " + NAME)) {
                while (all.next()) {
                    TableRow row = new TableRow(
                            all.getLong(1), all.getInt(2), all.getLong(3), all.getInt(4), all.getString(5));
                    rows.put(row.id(), row);
                }
            }
            connection.rollback();
        }
        return rows;
    }
}
