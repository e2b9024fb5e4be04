package io.microbatch.bench.faults;

import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Debezium's PostgreSQL connector, hosted, behind a proxy. The writer goes to the database directly, a transaction per
 * row; the table is the truth.
 */
final class PostgresFeed extends DatabaseFeed {

    private static final int PARTITIONS = 2;
    private static final int RATE_PER_SEC = 200;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Connection connection;

    PostgresFeed(String name, long run, PostgresServer postgres, FaultProxy proxy) {
        super(name, run, PARTITIONS, 1, postgres, proxy);
        postgres.execute(
                "CREATE TABLE " + this.name + " (part int, seq bigint, note text NOT NULL, PRIMARY KEY (part, seq))");
    }

    @Override
    String topic() {
        return name + ".public." + name;
    }

    @Override
    Map<String, String> config() {
        Map<String, String> config = new HashMap<>();
        String prefix = "upstream.connector.";
        config.put("tasks.max", "1");
        config.put(prefix + "class", "io.debezium.connector.postgresql.PostgresConnector");
        config.put(prefix + "database.hostname", server().host());
        config.put(prefix + "database.port", Integer.toString(proxy().port()));
        config.put(prefix + "database.user", server().user());
        config.put(prefix + "database.password", server().password());
        config.put(prefix + "database.dbname", server().database());
        config.put(prefix + "plugin.name", "pgoutput");
        config.put(prefix + "slot.name", name);
        config.put(prefix + "publication.name", name);
        config.put(prefix + "publication.autocreate.mode", "filtered");
        config.put(prefix + "table.include.list", "public." + name);
        config.put(prefix + "topic.prefix", name);
        config.put(prefix + "poll.interval.ms", "50");
        config.put(prefix + "retriable.restart.connector.wait.ms", "1000");
        for (String side : new String[] {"key", "value"}) {
            config.put(side + ".converter", "org.apache.kafka.connect.json.JsonConverter");
            config.put(side + ".converter.schemas.enable", "false");
        }
        return config;
    }

    @Override
    void begin() {
        begin(RATE_PER_SEC, this::write);
    }

    // The writer waits for a database that is down. A row whose commit was not confirmed is inserted again; a conflict
    // shows that it is there already.
    private void write(long number) throws Exception {
        int partition = (int) (number % PARTITIONS);
        long sequence = number / PARTITIONS;
        while (true) {
            try {
                insert(partition, sequence);
                return;
            } catch (SQLException e) {
                disconnect();
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void insert(int partition, long sequence) throws SQLException {
        if (connection == null) {
            connection = server().connect();
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + name + " VALUES (?, ?, ?) ON CONFLICT DO NOTHING")) {
            insert.setInt(1, partition);
            insert.setLong(2, sequence);
            insert.setString(3, EventText.of(new Event(run, partition, sequence, System.currentTimeMillis())));
            insert.executeUpdate();
        }
    }

    private void disconnect() {
        Connection broken = connection;
        connection = null;
        try {
            if (broken != null) {
                broken.close();
            }
        } catch (SQLException e) {
            // It is broken already; the next one is new.
        }
    }

    @Override
    long[] truth() {
        return rows(name);
    }

    @Override
    public void close() {
        super.close();
        disconnect();
        // Otherwise the server keeps its log for a connector that is gone.
        server().execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active");
    }
}
