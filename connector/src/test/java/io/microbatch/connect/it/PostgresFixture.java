package io.microbatch.connect.it;

import io.microbatch.testbed.PostgresServer;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.postgresql.PGConnection;

/** A table for one hosted PostgreSQL connector, with its slot and its configuration. One thread. */
final class PostgresFixture implements AutoCloseable {

    private final PostgresServer postgres;
    private final String name;
    private final Connection connection;
    private final Statement sql;

    /** Creates the table. The connector creates the slot. Table, slot and connector have the same name. */
    PostgresFixture(PostgresServer postgres, String name) throws SQLException {
        this.postgres = postgres;
        this.name = name;
        this.connection = postgres.connect();
        this.sql = connection.createStatement();
        sql.execute("CREATE TABLE " + name + " (id bigint PRIMARY KEY, note text)");
    }

    /** The name of the table, the slot and the connector. */
    String name() {
        return name;
    }

    String topic() {
        return name + ".public." + name;
    }

    /** The configuration of the plain Debezium connector. */
    Map<String, String> plain() {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", postgres.host());
        config.put("database.port", Integer.toString(postgres.port()));
        config.put("database.user", postgres.user());
        config.put("database.password", postgres.password());
        config.put("database.dbname", postgres.database());
        config.put("plugin.name", "pgoutput");
        config.put("slot.name", name);
        config.put("publication.name", name);
        config.put("publication.autocreate.mode", "filtered");
        config.put("table.include.list", "public." + name);
        config.put("topic.prefix", name);
        return config;
    }

    /**
     * The configuration of the hosted connector: Debezium's own settings get the prefix, the worker's settings do not.
     */
    Map<String, String> hosted(Cluster cluster) {
        Map<String, String> own = plain();
        Map<String, String> config = new HashMap<>();
        config.put("tasks.max", own.remove("tasks.max"));
        config.put("upstream.connector.class", own.remove("connector.class"));
        own.forEach((key, value) -> config.put("upstream.connector." + key, value));
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        return config;
    }

    /** Inserts rows with these ids in one transaction. */
    void insert(long first, long last) {
        execute("INSERT INTO " + name + " SELECT i, 'note' FROM generate_series(" + first + ", " + last + ") i");
    }

    /** Inserts rows with COPY, which writes many of them into one entry of the database's log. */
    void copy(long first, long last) {
        StringBuilder rows = new StringBuilder();
        for (long id = first; id <= last; id++) {
            rows.append(id).append("\tnote\n");
        }
        try {
            long ignored = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY " + name + " FROM STDIN", new StringReader(rows.toString()));
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("COPY into " + name, e);
        }
    }

    void execute(String statement) {
        try {
            sql.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
        }
    }

    /** The end of the database's log, as the number that Debezium writes into offsets. */
    long currentLsn() {
        return number("pg_current_wal_insert_lsn() - '0/0'::pg_lsn", "");
    }

    /** The names of all slots of the server, including those of other tests. */
    Set<String> slots() {
        Set<String> slots = new TreeSet<>();
        try (ResultSet rows = sql.executeQuery("SELECT slot_name FROM pg_replication_slots")) {
            while (rows.next()) {
                slots.add(rows.getString(1));
            }
            return slots;
        } catch (SQLException e) {
            throw new IllegalStateException("slots", e);
        }
    }

    boolean isSlotActive() {
        return number("active::int", " FROM pg_replication_slots WHERE slot_name = '" + name + "'") == 1;
    }

    /**
     * The confirmed position, or -1 if there is no slot. While the slot is created, it is active and has no position
     * either.
     */
    long confirmedLsn() {
        return number(
                "confirmed_flush_lsn - '0/0'::pg_lsn", " FROM pg_replication_slots WHERE slot_name = '" + name + "'");
    }

    private long number(String expression, String from) {
        try (ResultSet rows = sql.executeQuery("SELECT " + expression + from)) {
            if (!rows.next()) {
                return -1;
            }
            long value = rows.getLong(1);
            return rows.wasNull() ? -1 : value;
        } catch (SQLException e) {
            throw new IllegalStateException(expression, e);
        }
    }

    /** The ids of the changes in the topic, in order. */
    List<Long> ids(io.microbatch.testbed.TopicReader reader) {
        return reader.readCommitted(topic()).stream().map(PostgresFixture::id).toList();
    }

    private static long id(org.apache.kafka.clients.consumer.ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), java.nio.charset.StandardCharsets.UTF_8);
        return Long.parseLong(key.replaceAll("[^0-9]", ""));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
