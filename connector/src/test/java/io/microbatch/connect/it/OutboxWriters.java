package io.microbatch.connect.it;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Services that write to whichever of two servers is the primary, until they are told to end. A second table, written
 * in the same transactions, has what each server has committed. Used by one thread.
 */
final class OutboxWriters implements AutoCloseable {

    private static final int WRITERS = 4;
    private static final int KEYS = 4;
    private static final char SEPARATOR = '/';
    private static final Duration FAILOVER_LIMIT = Duration.ofSeconds(90);

    private final OutboxFixture outbox;
    private final PostgresServer primary;
    private final String url;
    private final List<CompletableFuture<Void>> running = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS, task -> {
        Thread thread = new Thread(task, "outbox-writer");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean isOver;

    OutboxWriters(OutboxFixture outbox, PostgresServer primary, PostgresServer standby) {
        this.outbox = outbox;
        this.primary = primary;
        this.url = "jdbc:postgresql://" + primary.host() + ":" + primary.port() + "," + standby.host() + ":"
                + standby.port() + "/" + primary.database() + "?targetServerType=primary&hostRecheckSeconds=0";
    }

    /** Creates what the services change. */
    static void prepare(PostgresServer postgres) {
        postgres.execute(
                "CREATE TABLE aggregate (key text PRIMARY KEY, version int NOT NULL)",
                "INSERT INTO aggregate SELECT 'key ' || i, 0 FROM generate_series(0, " + (KEYS - 1) + ") i",
                "CREATE TABLE truth (key text, version int, payload text, PRIMARY KEY (key, version))");
    }

    void begin() {
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            running.add(CompletableFuture.runAsync(() -> write(new Random(number)), threads));
        }
        threads.shutdown();
    }

    /** Returns when every writer has ended. */
    void end() {
        isOver = true;
        running.forEach(CompletableFuture::join);
    }

    @Override
    public void close() {
        isOver = true;
    }

    /** The payloads of the events that a server has committed, for each key in the order of their transactions. */
    static List<String> truth(PostgresServer postgres) {
        List<String> truth = new ArrayList<>();
        postgres.query("SELECT payload FROM truth ORDER BY version", row -> truth.add(row.getString(1)));
        return truth;
    }

    /** The key that a payload names. */
    static String key(String payload) {
        return payload.substring(0, payload.indexOf(SEPARATOR));
    }

    private void write(Random random) {
        while (!isOver) {
            try (Connection connection = connect()) {
                while (!isOver) {
                    change(connection, "key " + random.nextInt(KEYS));
                    if (random.nextInt(10) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                    }
                }
            } catch (SQLException e) {
                // The primary was killed. Whether the transaction was committed, the truth tells.
                boolean ignored = Await.reached(FAILOVER_LIMIT, () -> isOver || isThere());
            }
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url, primary.user(), primary.password());
        connection.setAutoCommit(false);
        return connection;
    }

    private boolean isThere() {
        try (Connection connection = connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Locks the aggregate, and then writes the event, as the documentation asks for. */
    private void change(Connection connection, String key) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            int version;
            try (ResultSet rows = sql.executeQuery(
                    "UPDATE aggregate SET version = version + 1 WHERE key = '" + key + "' RETURNING version")) {
                boolean ignored = rows.next();
                version = rows.getInt(1);
            }
            // The id tells an event from that of another transaction which the new primary has in its place.
            String payload = '"' + key + SEPARATOR + version + SEPARATOR + UUID.randomUUID() + '"';
            int ignored =
                    sql.executeUpdate("INSERT INTO truth VALUES ('" + key + "', " + version + ", '" + payload + "')");
            outbox.insert(connection, key, payload);
        }
    }
}
