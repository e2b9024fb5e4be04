package io.microbatch.bench.faults;

import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The tables of a service with an outbox. One has a row for each key, which a transaction locks before it writes an
 * event. One is the outbox, and one the truth, which has each event that the outbox ever had. A connection is used by
 * one thread.
 *
 * @param name the name of the outbox
 * @param run what events carry as their run
 */
record OutboxTables(String name, long run) {

    /** Creates them, with this number of keys, whose numbers are the source partitions. */
    void create(PostgresServer postgres, int keys) {
        postgres.execute(
                // As docs/outbox.md has it.
                "CREATE TABLE " + name + " (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL, "
                        + "aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb, "
                        + "seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, "
                        + "xid xid8 NOT NULL DEFAULT pg_current_xact_id())",
                "CREATE TABLE " + key() + " (part int PRIMARY KEY, changes bigint NOT NULL)",
                "INSERT INTO " + key() + " SELECT number, 0 FROM generate_series(0, " + (keys - 1) + ") number",
                "CREATE TABLE " + truth() + " (part int, seq bigint, PRIMARY KEY (part, seq))");
    }

    private String key() {
        return name + "_key";
    }

    /** The table with the columns {@code part} and {@code seq}. */
    String truth() {
        return name + "_truth";
    }

    /**
     * Changes a key as a part of the connection's transaction: locks it, and writes the event of the change.
     *
     * @param isKept false if the change will be rolled back: its event is then one of another run
     */
    void change(Connection connection, int part, boolean isKept) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(
                        "UPDATE " + key() + " SET changes = changes + 1 WHERE part = ? RETURNING changes - 1");
                PreparedStatement tell = connection.prepareStatement("INSERT INTO " + truth() + " VALUES (?, ?)");
                PreparedStatement send = connection.prepareStatement(
                        "INSERT INTO " + name + " (id, aggregatetype, aggregateid, type, payload) "
                                + "VALUES (gen_random_uuid(), 'key', ?, 'Changed', to_jsonb(?::text))")) {
            lock.setInt(1, part);
            long seq;
            try (ResultSet row = lock.executeQuery()) {
                boolean ignored = row.next();
                seq = row.getLong(1);
            }
            tell.setInt(1, part);
            tell.setLong(2, seq);
            int told = tell.executeUpdate();
            long ofRun = isKept ? run : -run;
            send.setString(1, "key " + part);
            send.setString(2, EventText.of(new Event(ofRun, part, seq, System.currentTimeMillis())));
            if (told + send.executeUpdate() != 2) {
                throw new IllegalStateException("a row was not inserted");
            }
        }
    }
}
