package io.microbatch.bench.hosting;

import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables of one side in a schema of their own. Every change is a transaction, and writes into a journal, in the
 * same transaction, what a consumer is to see of it. Its methods lock it.
 */
final class Changes implements AutoCloseable {

    /** What the journal calls the streams, which are source partitions to the oracle. */
    static final int ORDERS = 0;

    static final int SCRATCH = 1;
    static final int LEDGER = 2;
    static final int LEDGER_AGAIN = 3;
    static final int STREAMS = 4;

    /** The streams by their numbers. */
    static final List<String> NAMES = List.of("orders", "scratch", "ledger", "ledger again");

    private static final List<String> TABLES = List.of("orders", "scratch", "ledger");

    private final PostgresServer postgres;
    private final String schema;
    private final Connection connection;
    private final int[] next = new int[STREAMS];
    private String lastScratch = "";

    /** Creates the tables. */
    Changes(PostgresServer postgres, String schema) {
        this.postgres = postgres;
        this.schema = schema;
        postgres.execute(
                "CREATE SCHEMA " + schema,
                "CREATE TABLE " + of("signals") + " (id varchar(64) PRIMARY KEY, type varchar(64), data varchar(2048))",
                "CREATE TABLE " + of("journal") + " (stream int, place int, token text, PRIMARY KEY (stream, place))");
        for (String table : TABLES) {
            postgres.execute(
                    "CREATE TABLE " + of(table) + " (id bigint PRIMARY KEY, note text NOT NULL)",
                    // So that a delete says which version of the row it ended.
                    "ALTER TABLE " + of(table) + " REPLICA IDENTITY FULL");
        }
        try {
            connection = postgres.connect();
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String of(String table) {
        return schema + "." + table;
    }

    synchronized void insertOrder(long id, String note) {
        change("INSERT INTO " + of("orders") + " (note, id) VALUES (?, ?)", note, id);
        journal(ORDERS, ChangeTokens.upserted(note));
        commit();
    }

    synchronized void updateOrder(long id, String note) {
        change("UPDATE " + of("orders") + " SET note = ? WHERE id = ?", note, id);
        journal(ORDERS, ChangeTokens.upserted(note));
        commit();
    }

    /** A changed primary key is a delete, its tombstone and an insert. */
    synchronized void moveOrder(long id, String before, long newId, String note) {
        change("UPDATE " + of("orders") + " SET note = ?, id = ? WHERE id = " + id, note, newId);
        journal(ORDERS, ChangeTokens.deleted(before));
        journal(ORDERS, ChangeTokens.tombstone(id));
        journal(ORDERS, ChangeTokens.upserted(note));
        commit();
    }

    synchronized void deleteOrder(long id, String before) {
        change("DELETE FROM " + of("orders") + " WHERE note = ? AND id = ?", before, id);
        journal(ORDERS, ChangeTokens.deleted(before));
        journal(ORDERS, ChangeTokens.tombstone(id));
        commit();
    }

    synchronized void insertScratch(long id, String note) {
        change("INSERT INTO " + of("scratch") + " (note, id) VALUES (?, ?)", note, id);
        journal(SCRATCH, ChangeTokens.upserted(note));
        lastScratch = note;
        commit();
    }

    synchronized void truncateScratch() {
        execute("TRUNCATE " + of("scratch"));
        journal(SCRATCH, ChangeTokens.truncatedAfter(lastScratch));
        commit();
    }

    /** A row that never changes. It is read once at first and once more when it is asked for. */
    synchronized void insertLedger(long id, String note) {
        change("INSERT INTO " + of("ledger") + " (note, id) VALUES (?, ?)", note, id);
        journal(LEDGER, ChangeTokens.upserted(note));
        commit();
    }

    /** Asks by the signal table for an incremental snapshot of the ledger. */
    synchronized void askForLedger() {
        execute("INSERT INTO " + of("signals") + " VALUES ('again', 'execute-snapshot', '{\"type\":\"incremental\","
                + "\"data-collections\":[\"" + of("ledger") + "\"]}')");
        execute("INSERT INTO " + of("journal") + " SELECT " + LEDGER_AGAIN + ", place, token FROM " + of("journal")
                + " WHERE stream = " + LEDGER);
        commit();
    }

    /** What a consumer is to see, by stream, in order. As the database has it. */
    synchronized List<List<String>> truth() {
        List<List<String>> truth = new ArrayList<>();
        for (int stream = 0; stream < STREAMS; stream++) {
            truth.add(new ArrayList<>());
        }
        postgres.query(
                "SELECT stream, token FROM " + of("journal") + " ORDER BY stream, place",
                row -> truth.get(row.getInt(1)).add(row.getString(2)));
        return truth;
    }

    /** The rows that there are now, by table and key. */
    synchronized Map<String, Map<Long, String>> rows() {
        Map<String, Map<Long, String>> all = new HashMap<>();
        for (String table : TABLES) {
            Map<Long, String> rows = new HashMap<>();
            postgres.query("SELECT id, note FROM " + of(table), row -> rows.put(row.getLong(1), row.getString(2)));
            all.put(table, rows);
        }
        return all;
    }

    private void journal(int stream, String token) {
        change(
                "INSERT INTO " + of("journal") + " (token, stream, place) VALUES (?, " + stream + ", ?)",
                token,
                next[stream]++);
    }

    private void change(String statement, String text, long number) {
        try (PreparedStatement sql = connection.prepareStatement(statement)) {
            sql.setString(1, text);
            sql.setLong(2, number);
            sql.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void execute(String statement) {
        try (Statement sql = connection.createStatement()) {
            sql.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void commit() {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
