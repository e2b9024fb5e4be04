package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writers whose transactions overlap, last, are prepared first, and are rolled back, while the worker and the database
 * are killed. A second table, written in the same transactions, tells what has to arrive.
 */
@Tag("long")
@ExtendWith(Cluster.Shared.class)
class OutboxFaultsIT {

    private static final int WRITERS = 6;
    private static final int TRANSACTIONS = 120;
    private static final int KEYS = 4;

    /** The SQL states of a lost connection and of a server that ends or begins. */
    private static final Pattern DATABASE_WAS_KILLED = Pattern.compile("08...|57P..");

    private final Cluster cluster;

    OutboxFaultsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversWhatWasCommittedAcrossKillsOfWorkerAndDatabase(Mode mode) throws Exception {
        String name = "outbox_kills_" + mode.suffix().replace('-', '_');
        try (PostgresServer postgres = PostgresServer.start(
                        cluster.directory().resolve(name), Map.of("max_prepared_transactions", "16"));
                ConnectWorker worker = cluster.worker(mode, name).start()) {
            OutboxFixture outbox = OutboxFixture.of(cluster, postgres, name);
            postgres.execute(
                    "CREATE TABLE aggregate (key text PRIMARY KEY, version int NOT NULL)",
                    "INSERT INTO aggregate SELECT 'key ' || i, 0 FROM generate_series(0, " + (KEYS - 1) + ") i",
                    "CREATE TABLE truth (key text, version int, PRIMARY KEY (key, version))");
            worker.rest().create(name, outbox.config(Map.of()));
            worker.awaitRunning(name, 1);

            AtomicInteger ended = new AtomicInteger();
            // A thread for each writer: their transactions overlap on any machine.
            ExecutorService threads = Executors.newFixedThreadPool(WRITERS, task -> {
                Thread thread = new Thread(task, "outbox-writer");
                thread.setDaemon(true);
                return thread;
            });
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                writers.add(CompletableFuture.runAsync(() -> write(outbox, number, ended), threads));
            }
            threads.shutdown();
            awaitEnded(ended, WRITERS * TRANSACTIONS / 4);
            cluster.kill(worker);
            worker.restart();
            awaitEnded(ended, WRITERS * TRANSACTIONS / 2);
            postgres.kill();
            postgres.restart();
            writers.forEach(CompletableFuture::join);

            Map<String, List<Integer>> truth = truth(postgres);
            int total = truth.values().stream().mapToInt(List::size).sum();
            assertThat(truth).as("what was committed").hasSize(KEYS);
            assertThat(total).isGreaterThan(WRITERS * TRANSACTIONS / 2);
            Await.until(
                    total + " events",
                    OutboxFixture.PATIENCE,
                    () -> new HashSet<>(outbox.values()).size() >= total,
                    () -> outbox.values().size() + " seen\n" + worker.logTail());
            outbox.awaitEmptyTable();
            assertThat(delivered(outbox, mode)).isEqualTo(truth);
            OutboxFixture.stop(worker.rest(), name);
        }
    }

    private static void awaitEnded(AtomicInteger ended, int atLeast) {
        Await.until(atLeast + " transactions", OutboxFixture.PATIENCE, () -> ended.get() >= atLeast, ended::toString);
    }

    /** Writes transactions of one or two events, some of which are rolled back or wait for others before they end. */
    private static void write(OutboxFixture outbox, int number, AtomicInteger ended) {
        Random random = new Random(number);
        String prepared = "writer " + number;
        Connection connection = null;
        for (int i = 0; i < TRANSACTIONS; i++) {
            int endedBefore = ended.get();
            try {
                if (connection == null || !connection.isValid(1)) {
                    connection = outbox.writer();
                }
                change(outbox, connection, random.nextInt(KEYS));
                if (random.nextInt(10) == 0) {
                    // Others end before it, whose numbers are larger.
                    boolean ignored = Await.reached(Duration.ofMillis(500), () -> ended.get() > endedBefore + 3);
                }
                boolean commits = random.nextInt(10) != 0;
                if (random.nextInt(5) == 0) {
                    endPrepared(connection, prepared, commits);
                } else if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            } catch (SQLException e) {
                if (!DATABASE_WAS_KILLED
                        .matcher(String.valueOf(e.getSQLState()))
                        .matches()) {
                    throw new IllegalStateException(e);
                }
                // The truth tells whether the transaction was committed.
                connection = null;
                boolean ignored = Await.reached(Duration.ofSeconds(60), () -> isBack(outbox, prepared));
            }
            int ignored = ended.incrementAndGet();
        }
        close(connection);
    }

    private static void endPrepared(Connection connection, String name, boolean commits) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            boolean ignored = sql.execute("PREPARE TRANSACTION '" + name + "'");
            connection.setAutoCommit(true);
            ignored = sql.execute((commits ? "COMMIT" : "ROLLBACK") + " PREPARED '" + name + "'");
            connection.setAutoCommit(false);
        }
    }

    /** Whether the database answers. A transaction that was prepared before the kill is still there, with its locks. */
    private static boolean isBack(OutboxFixture outbox, String prepared) {
        try (Connection connection = outbox.postgres().connect();
                Statement sql = connection.createStatement()) {
            boolean isThere;
            try (var rows = sql.executeQuery("SELECT 1 FROM pg_prepared_xacts WHERE gid = '" + prepared + "'")) {
                isThere = rows.next();
            }
            if (isThere) {
                boolean ignored = sql.execute("COMMIT PREPARED '" + prepared + "'");
            }
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Locks the aggregate, and then writes the event, as the documentation asks for. */
    private static void change(OutboxFixture outbox, Connection connection, int number) throws SQLException {
        String key = "key " + number;
        try (Statement sql = connection.createStatement()) {
            int version;
            try (var rows = sql.executeQuery(
                    "UPDATE aggregate SET version = version + 1 WHERE key = '" + key + "' RETURNING version")) {
                boolean ignored = rows.next();
                version = rows.getInt(1);
            }
            var savepoint = connection.setSavepoint();
            int ignored = sql.executeUpdate("INSERT INTO truth VALUES ('" + key + "', " + version + ")");
            outbox.insert(connection, key, "\"" + key + " " + version + "\"");
            connection.releaseSavepoint(savepoint);
        }
    }

    private static void close(Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, List<Integer>> truth(PostgresServer postgres) {
        Map<String, List<Integer>> truth = new HashMap<>();
        postgres.query(
                "SELECT key, version FROM truth ORDER BY version",
                row -> truth.computeIfAbsent(row.getString(1), key -> new ArrayList<>())
                        .add(row.getInt(2)));
        return truth;
    }

    /** The versions of each key in the order of Kafka. At least once, only the first of equal ones counts. */
    private static Map<String, List<Integer>> delivered(OutboxFixture outbox, Mode mode) {
        List<String> values = outbox.values();
        Map<String, List<Integer>> delivered = new HashMap<>();
        for (String value : mode == Mode.EXACTLY_ONCE ? values : new LinkedHashSet<>(values)) {
            String text = value.replace("\"", "");
            int space = text.lastIndexOf(' ');
            delivered
                    .computeIfAbsent(text.substring(0, space), key -> new ArrayList<>())
                    .add(Integer.valueOf(text.substring(space + 1)));
        }
        return delivered;
    }
}
