package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A real database for tests of the upstream without a worker. One thread, except the connections. */
final class OutboxDatabase implements AutoCloseable {

    /** A role that may read and delete, and nothing else. */
    private static final String RELAY = "relay";

    private final WorkDirectory work;
    private final PostgresServer postgres;

    OutboxDatabase(String name, Map<String, String> settings) {
        work = WorkDirectory.create(name);
        postgres = PostgresServer.start(work.path(), settings);
        postgres.execute("CREATE ROLE " + RELAY + " LOGIN PASSWORD '" + RELAY + "'");
    }

    PostgresServer postgres() {
        return postgres;
    }

    /** Creates a table with the columns that the upstream needs, and the column {@code at} for a timestamp. */
    void create(String table) {
        postgres.execute(
                "CREATE TABLE " + table + " (id int, aggregatetype text, aggregateid text, payload text, "
                        + "at timestamptz, seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, "
                        + "xid xid8 NOT NULL DEFAULT pg_current_xact_id())",
                "GRANT SELECT, DELETE ON " + table + " TO " + RELAY);
    }

    /** The configuration for a table, as the relay's role. */
    OutboxConfig config(String table, Map<String, String> more) {
        return new MicrobatchConfig(settings(table, more)).outbox();
    }

    /** The same as settings of the connector. The given names have no prefix. */
    Map<String, String> settings(String table, Map<String, String> more) {
        Map<String, String> config = new HashMap<>(Map.of(
                "upstream.type",
                "outbox",
                "upstream.outbox.jdbc.url",
                postgres.jdbcUrl(),
                "upstream.outbox.user",
                RELAY,
                "upstream.outbox.password",
                RELAY,
                "upstream.outbox.table",
                table));
        more.forEach((key, value) -> config.put("upstream.outbox." + key, value));
        return config;
    }

    static void execute(Connection connection, String statement) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            boolean ignored = sql.execute(statement);
        }
    }

    /** The first column of a query, as the superuser. */
    List<String> query(String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    @Override
    public void close() {
        postgres.close();
        work.close();
    }
}
