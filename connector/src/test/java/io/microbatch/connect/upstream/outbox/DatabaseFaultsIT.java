package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.PlainIntake;
import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import io.microbatch.testbed.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What the reader does when a real database refuses, waits or has odd rows. The test plays the task. */
@Timeout(180)
class DatabaseFaultsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static OutboxDatabase database;

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 1_024, 1 << 24, () -> 0);
    private final Intake intake = PlainIntake.into(stripes);

    @BeforeAll
    static void start() {
        // Nobody flushes the log soon.
        database = new OutboxDatabase("database-faults", Map.of("wal_writer_delay", "10000"));
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    private static OutboxReader reader(String table, Map<String, String> settings) {
        OutboxReader reader = new OutboxReader(
                database.config(table, settings),
                table,
                List.of(0),
                new StoredOffsets(new HashMap<>()),
                System::nanoTime);
        reader.start();
        return reader;
    }

    private List<EventRecord> fetch(OutboxReader reader, int events) throws InterruptedException {
        while (stripes.sizeEvents() < events) {
            reader.fetch(intake);
        }
        List<EventRecord> taken = new ArrayList<>();
        int ignored = stripes.drain((event, size) -> taken.add(event), 10_000, 1 << 24, EventRecord::sameOffset);
        return taken;
    }

    @Test
    void readsRowsWithTimestampsThatAreNoTimes() throws InterruptedException {
        database.create("times");
        database.postgres()
                .execute("INSERT INTO times (id, aggregatetype, aggregateid, at) SELECT i, 'orders', 'k', t FROM "
                        + "(VALUES (1, timestamptz '1970-01-01 00:00:01.5+00'), (2, 'infinity'), (3, '-infinity'), "
                        + "(4, NULL), (5, '1969-12-31 23:59:59+00')) v(i, t) ORDER BY i");
        OutboxReader reader = reader("times", Map.of("column.timestamp", "at"));
        List<EventRecord> events = fetch(reader, 5);
        assertThat(events.stream().map(EventRecord::timestamp)).containsExactly(1_500L, null, null, null, null);
        assertThat(reader.lagMs()).isNotNegative();
        reader.stop();
    }

    private static List<String> backends(String application, String condition) {
        try {
            return database.query(
                    "SELECT pid FROM pg_stat_activity WHERE application_name = '" + application + "' AND " + condition);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void stopsWhileAStatementWaitsForALock() throws SQLException {
        database.create("locked");
        OutboxReader reader = reader("locked", Map.of());
        try (Connection other = database.postgres().connect()) {
            other.setAutoCommit(false);
            OutboxDatabase.execute(other, "LOCK TABLE locked");
            CompletableFuture<Void> fetching = CompletableFuture.runAsync(() -> {
                try {
                    while (true) {
                        reader.fetch(intake);
                    }
                } catch (InterruptedException e) {
                    reader.stop();
                }
            });
            Await.until(
                    "a wait for the lock",
                    PATIENCE,
                    () -> !backends("locked", "wait_event_type = 'Lock'").isEmpty(),
                    () -> "none");
            reader.stopping();
            // Far below the time for which the driver waits for an answer.
            assertThat(fetching).succeedsWithin(Duration.ofSeconds(10));
            Await.until(
                    "the end of its session",
                    PATIENCE,
                    () -> backends("locked", "true").isEmpty(),
                    () -> backends("locked", "true") + " is there");
            other.rollback();
        }
    }

    @Test
    void retriesAConflictOfTransactionsOnItsConnection() throws InterruptedException, SQLException {
        database.create("conflict");
        OutboxReader reader = reader("conflict", Map.of());
        List<String> backend = backends("conflict", "true");
        database.postgres()
                .execute(
                        "CREATE FUNCTION conflict() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN "
                                + "RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$",
                        "INSERT INTO conflict (id, aggregatetype, aggregateid) VALUES (1, 'orders', 'k')",
                        "CREATE POLICY conflict ON conflict USING (conflict())",
                        "ALTER TABLE conflict ENABLE ROW LEVEL SECURITY");
        assertThatThrownBy(() -> fetch(reader, 1)).isInstanceOf(RetriableException.class);
        database.postgres().execute("ALTER TABLE conflict DISABLE ROW LEVEL SECURITY");
        assertThat(fetch(reader, 1)).hasSize(1);
        assertThat(backends("conflict", "true")).isEqualTo(backend);
        reader.stop();
    }

    @Test
    void flushesTheLogAtMostTenTimesASecond() throws InterruptedException, SQLException {
        database.create("flushes");
        // Each look at the clock takes a millisecond, so that the machine's speed does not matter.
        AtomicLong nanos = new AtomicLong();
        SafeSnapshots snapshots = new SafeSnapshots(
                true,
                new OutboxFigures(),
                new CountDownLatch(1),
                () -> nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1)));
        try (OutboxConnection connection = OutboxConnection.open(database.config("flushes", Map.of()), "flushes", 30);
                Connection writer = database.postgres().connect()) {
            OutboxTable table = TableInspection.of(connection, database.config("flushes", Map.of()))
                    .table();
            OutboxConnection.Server server = connection.server(table.identity());
            writer.setAutoCommit(false);
            List<Long> taken = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                OutboxDatabase.execute(writer, "INSERT INTO flushes (id) VALUES (1)");
                assertThat(snapshots.next(connection, table, server)).isNotNull();
                taken.add(TimeUnit.NANOSECONDS.toMillis(nanos.get()));
            }
            for (int i = 1; i < taken.size(); i++) {
                assertThat(taken.get(i) - taken.get(i - 1)).as("%s", taken).isGreaterThanOrEqualTo(90);
            }
            writer.rollback();
        }
    }

    /** A statement that is refused must not end the connection, and rows wait for somebody else to flush the log. */
    @Test
    void readsOnWhereTheUserMayNotFlushTheLog() throws InterruptedException, SQLException {
        database.create("unflushed");
        database.postgres().execute(flushing("REVOKE", "FROM"));
        AtomicLong nanos = new AtomicLong();
        SafeSnapshots snapshots = new SafeSnapshots(
                true,
                new OutboxFigures(),
                new CountDownLatch(1),
                () -> nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(50)));
        try (OutboxConnection connection =
                        OutboxConnection.open(database.config("unflushed", Map.of()), "unflushed", 30);
                Connection writer = database.postgres().connect()) {
            OutboxTable table = TableInspection.of(connection, database.config("unflushed", Map.of()))
                    .table();
            OutboxConnection.Server server = connection.server(table.identity());
            writer.setAutoCommit(false);
            OutboxDatabase.execute(writer, "INSERT INTO unflushed (id) VALUES (1)");
            assertThat(snapshots.next(connection, table, server))
                    .as("nobody flushes the log")
                    .isNull();
            Snapshot next = null;
            for (int i = 0; i < 20 && next == null; i++) {
                database.postgres().execute("CHECKPOINT");
                next = snapshots.next(connection, table, server);
            }
            assertThat(next).isNotNull();
        } finally {
            database.postgres().execute(flushing("GRANT", "TO"));
        }
    }

    /** For each version of the function that a release of PostgreSQL has. */
    private static String flushing(String verb, String preposition) {
        return "DO $$ DECLARE each regprocedure; BEGIN FOR each IN SELECT oid::regprocedure FROM pg_proc "
                + "WHERE proname = 'pg_logical_emit_message' LOOP EXECUTE '" + verb + " EXECUTE ON FUNCTION ' || each "
                + "|| ' " + preposition + " PUBLIC'; END LOOP; END $$";
    }

    @Test
    void hearsAnAnnouncementOfItsChannelAlone() throws SQLException {
        try (OutboxConnection connection = OutboxConnection.open(database.config("any", Map.of()), "any", 30)) {
            connection.listen("rows", 0);
            database.postgres().execute("NOTIFY other");
            assertThat(connection.awaitAnnouncement(300)).isFalse();
            database.postgres().execute("NOTIFY rows");
            assertThat(connection.awaitAnnouncement(30_000)).isTrue();
        }
    }

    /** Two tasks on workers of different zones must divide the rows in the same way. */
    @Test
    @ResourceLock(Resources.TIME_ZONE)
    void readsTheSameTextsInEveryTimeZone() throws SQLException {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        try {
            assertThat(shown("timezone")).isEqualTo("UTC");
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private static String shown(String setting) throws SQLException {
        try (OutboxConnection connection = OutboxConnection.open(database.config("any", Map.of()), "any", 30)) {
            return connection.one("SHOW " + setting, row -> row.getString(1));
        }
    }
}
