package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which rows are deleted, and that no deletion keeps other rows from being read. */
@Timeout(180)
class OutboxDeletesIT {

    private static WorkDirectory work;
    private static PostgresServer postgres;

    private final Map<Map<String, ?>, Map<String, Object>> committed = new HashMap<>();

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("outbox-deletes");
        postgres = PostgresServer.start(work.path());
    }

    @AfterAll
    static void stop() {
        postgres.close();
        work.close();
    }

    /** A reader whose statements end after two seconds, and whose socket is closed after three. */
    private RunningReader reader(String table, Map<String, String> more) {
        return new RunningReader(
                RunningReader.config(postgres, postgres.jdbcUrl() + "?socketTimeout=3", table, more), committed);
    }

    private static long rows(String table) {
        return RunningReader.number(postgres, "SELECT count(*) FROM " + table);
    }

    private static void awaitEmpty(RunningReader reader, String table) throws InterruptedException {
        reader.fetchUntil(() -> rows(table) == 0, () -> rows(table) + " rows");
    }

    @Test
    void deletesNoRowThatHasGotTheNumberOfADeliveredOne() throws InterruptedException {
        postgres.execute(RunningReader.create("restarted", "text"), RunningReader.insert("restarted", "1", "2", "3"));
        try (RunningReader reader = reader("restarted", Map.of()).start()) {
            reader.fetchEvents(3);
            postgres.execute("TRUNCATE restarted RESTART IDENTITY", RunningReader.insert("restarted", "4", "5", "6"));
            reader.settle();
            // The deletion is due before the new rows are read.
            reader.advance(1_000);
            reader.fetchEvents(6);
            assertThat(reader.values()).containsExactly("1", "2", "3", "4", "5", "6");
            reader.settle();
            awaitEmpty(reader, "restarted");
        }
    }

    @Test
    void deletesTheSecondRowOfANumberTogetherWithTheFirst() throws InterruptedException {
        postgres.execute(RunningReader.create("twice", "text"), RunningReader.insert("twice", "1", "2", "3"));
        try (RunningReader reader = reader("twice", Map.of()).start()) {
            reader.fetchEvents(3);
            postgres.execute("TRUNCATE twice RESTART IDENTITY", RunningReader.insert("twice", "4", "5", "6"));
            reader.fetchEvents(6).settle();
            awaitEmpty(reader, "twice");
            assertThat(reader.values()).containsExactly("1", "2", "3", "4", "5", "6");
        }
    }

    @Test
    void readsOnWhileSomebodyLocksADeliveredRow() throws InterruptedException, SQLException {
        postgres.execute(RunningReader.create("locked", "text"), RunningReader.insert("locked", "1", "2", "3"));
        try (RunningReader reader = reader("locked", Map.of()).start();
                Connection other = postgres.connect()) {
            reader.fetchEvents(3);
            other.setAutoCommit(false);
            // The mark of the lock remains in the first row.
            assertThat(RunningReader.texts(other, "SELECT payload FROM locked WHERE seq = 1 FOR UPDATE"))
                    .containsExactly("1");
            other.rollback();
            assertThat(RunningReader.texts(other, "SELECT payload FROM locked WHERE seq = 2 FOR UPDATE"))
                    .containsExactly("2");
            reader.settle();
            reader.advance(1_000);
            postgres.execute(RunningReader.insert("locked", "4"));
            reader.fetchEvents(4);
            reader.settle();
            reader.fetchUntil(() -> rows("locked") == 1, () -> rows("locked") + " rows");
            assertThat(RunningReader.texts(other, "SELECT payload FROM locked")).containsExactly("2");
            assertThat(backends("locked")).isEqualTo(1);
            other.rollback();
            reader.advance(10_000);
            awaitEmpty(reader, "locked");
        }
    }

    /** Rows that were delivered before the start are searched for between two reads. */
    @Test
    void readsOnWhileTheSearchForDeliveredRowsTakesLong() throws InterruptedException {
        postgres.execute(
                RunningReader.create("searched", "text"),
                "INSERT INTO searched (payload) SELECT i FROM generate_series(1, 20) i",
                "CREATE TABLE search_pace AS SELECT 0.0::float8 AS seconds",
                "CREATE SEQUENCE searches",
                "CREATE FUNCTION paced() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN "
                        + "IF current_query() LIKE ''WITH part AS%'' THEN "
                        + "PERFORM nextval(''searches''), pg_sleep((SELECT seconds FROM search_pace)); END IF; "
                        + "RETURN true; END'",
                "CREATE ROLE searcher LOGIN PASSWORD 'searcher'",
                "GRANT SELECT, DELETE ON searched TO searcher",
                "CREATE POLICY paced ON searched USING (seq > 3 OR paced())");
        Map<String, String> more = Map.of("user", "searcher", "password", "searcher", "page.rows", "1");
        RunningReader before = reader("searched", more).start();
        before.fetchEvents(3).close();
        // A reader that runs would delete them.
        before.settle();
        try (RunningReader reader = reader("searched", more).freeze().start()) {
            reader.fetchEvents(1);
            postgres.execute("UPDATE search_pace SET seconds = 60", "ALTER TABLE searched ENABLE ROW LEVEL SECURITY");
            reader.advance(10_000);
            reader.fetchEvents(17);
            // There is nothing more to read, and no time has passed.
            reader.fetch();
            reader.fetch();
            assertThat(rows("searched")).isEqualTo(20);
            assertThat(RunningReader.number(postgres, "SELECT count(*) FROM searches WHERE is_called"))
                    .as("a search was begun")
                    .isEqualTo(1);
            assertThat(RunningReader.number(postgres, "SELECT last_value FROM searches"))
                    .as("searches, each of which ends at its first row")
                    .isEqualTo(1);
            postgres.execute("UPDATE search_pace SET seconds = 0");
            reader.settle();
            reader.fetchUntil(
                    () -> {
                        reader.advance(1_000);
                        return rows("searched") == 0;
                    },
                    () -> rows("searched") + " rows");
        }
    }

    @Test
    void collectsAnnouncementsAndLosesNone() throws SQLException {
        postgres.execute(RunningReader.create("announced", "text"));
        Map<String, String> config = RunningReader.config(postgres, postgres.jdbcUrl(), "announced", Map.of());
        try (OutboxConnection connection =
                OutboxConnection.open(new MicrobatchConfig(config).outbox(), "announced", 30)) {
            connection.listen("rows", 0);
            for (int i = 0; i < 3; i++) {
                String ignored = connection.one("SELECT pg_notify('rows', '" + i + "')::text", row -> row.getString(1));
            }
            long secondNanos = TimeUnit.SECONDS.toNanos(1);
            assertThat(connection.collectAnnouncements(secondNanos - 1)).isZero();
            assertThat(connection.collectAnnouncements(secondNanos)).isEqualTo(3);
            assertThat(connection.collectAnnouncements(2 * secondNanos)).isZero();
            assertThat(connection.awaitAnnouncement(1)).as("collected before").isTrue();
            assertThat(connection.awaitAnnouncement(1)).as("no other one").isFalse();
        }
    }

    @Test
    void readsOnWhileDeletesTakeLong() throws InterruptedException {
        postgres.execute(
                RunningReader.create("slow", "text"),
                "INSERT INTO slow (payload) SELECT i FROM generate_series(1, 40) i",
                "CREATE TABLE gate AS SELECT true AS closed",
                "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN "
                        + "WHILE (SELECT closed FROM gate) LOOP PERFORM pg_sleep(0.1); END LOOP; RETURN OLD; END'",
                "CREATE TRIGGER wait BEFORE DELETE ON slow FOR EACH ROW EXECUTE FUNCTION wait()");
        try (RunningReader reader = reader("slow", Map.of()).start()) {
            reader.fetchEvents(40);
            reader.settle();
            reader.advance(1_000);
            postgres.execute(RunningReader.insert("slow", "41"));
            reader.fetchEvents(41);
            assertThat(backends("slow")).isEqualTo(1);
            postgres.execute("UPDATE gate SET closed = false");
            reader.settle();
            awaitEmpty(reader, "slow");
        }
    }

    /** A statement that is cancelled leaves its mark in the rows that it has reached, as a lock does. */
    @Test
    void deletesWhatACancelledStatementHasMarked() throws InterruptedException {
        postgres.execute(
                RunningReader.create("marked", "text"),
                "INSERT INTO marked (payload) SELECT i FROM generate_series(1, 2000) i",
                "CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.005); "
                        + "RETURN OLD; END'",
                "CREATE TRIGGER slowly BEFORE DELETE ON marked FOR EACH ROW EXECUTE FUNCTION slowly()");
        try (RunningReader reader = reader("marked", Map.of()).start()) {
            reader.fetchEvents(2_000);
            reader.settle();
            awaitEmpty(reader, "marked");
            assertThat(reader.undeleted()).isZero();
        }
    }

    /** A cancelled statement for locked rows is followed by smaller ones, of one row in the end. */
    @Test
    void deletesRowsBehindOneThatSomebodyLocks() throws InterruptedException, SQLException {
        postgres.execute(
                RunningReader.create("behind_lock", "text"),
                RunningReader.insert("behind_lock", "1", "2", "3"),
                "CREATE TABLE lock_gate AS SELECT true AS closed",
                "CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN "
                        + "WHILE (SELECT closed FROM lock_gate) LOOP PERFORM pg_sleep(0.1); END LOOP; RETURN OLD; END'",
                "CREATE TRIGGER wait BEFORE DELETE ON behind_lock FOR EACH ROW EXECUTE FUNCTION wait_at_gate()");
        try (RunningReader reader = reader("behind_lock", Map.of()).start();
                Connection other = postgres.connect()) {
            reader.fetchEvents(3);
            other.setAutoCommit(false);
            String lockAll = "SELECT payload FROM behind_lock FOR UPDATE";
            assertThat(RunningReader.texts(other, lockAll)).hasSize(3);
            other.rollback();
            reader.settle();
            reader.advance(1_000);
            reader.fetch();
            assertThat(reader.undeleted()).as("the statement was cancelled").isEqualTo(3);
            assertThat(RunningReader.texts(other, "SELECT payload FROM behind_lock WHERE seq = 1 FOR UPDATE"))
                    .containsExactly("1");
            postgres.execute("UPDATE lock_gate SET closed = false");
            reader.fetchUntil(() -> rows("behind_lock") == 1, () -> rows("behind_lock") + " rows");
            other.rollback();
            reader.advance(10_000);
            awaitEmpty(reader, "behind_lock");
        }
    }

    /** The connections that a reader has, also those that it does not know of. */
    private static long backends(String table) {
        return RunningReader.number(
                postgres, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'microbatch " + table + "'");
    }

    @Test
    void readsBeforeItDeletesWhatWasDeliveredBefore() throws InterruptedException {
        postgres.execute(RunningReader.create("begun", "text"), RunningReader.insert("begun", "1", "2", "3"));
        try (RunningReader reader = reader("begun", Map.of()).start()) {
            reader.fetchEvents(3);
        }
        // Kafka has them, but the reader was gone before it knew.
        try (RunningReader reader = reader("begun", Map.of()).start()) {
            reader.fetchEvents(3);
            committed.put(
                    reader.seen().get(2).sourcePartition(),
                    new HashMap<>(reader.seen().get(2).sourceOffset()));
        }
        postgres.execute("INSERT INTO begun (payload) SELECT i FROM generate_series(4, 25000) i");
        try (RunningReader reader = reader("begun", Map.of()).start()) {
            while (reader.seen().isEmpty()) {
                reader.fetch();
                assertThat(reader.seen().isEmpty() && rows("begun") < 25_000)
                        .as("deletes and has not read")
                        .isFalse();
            }
            assertThat(reader.values().get(0)).isEqualTo("4");
            reader.fetchEvents(24_997);
            reader.fetchUntil(() -> rows("begun") == 24_997, () -> rows("begun") + " rows");
            assertThat(reader.values()).hasSize(24_997);
            reader.settle();
            reader.advance(1_000);
            awaitEmpty(reader, "begun");
        }
    }

    /** The search reads the whole backlog, and new rows would wait for it. */
    @Test
    void looksForDeliveredRowsOnceASecondWhileThereAreRowsToRead() throws InterruptedException {
        postgres.execute(RunningReader.create("backlog", "text"), RunningReader.insert("backlog", "1", "2", "3", "4"));
        try (RunningReader reader = reader("backlog", Map.of()).start()) {
            reader.fetchEvents(4);
            committed.put(
                    reader.seen().get(0).sourcePartition(),
                    new HashMap<>(reader.seen().get(0).sourceOffset()));
        }
        try (RunningReader reader = reader("backlog", Map.of("page.rows", "1"))) {
            reader.freeze().start().fetchEvents(1);
            assertThat(reader.undeleted()).isZero();
            reader.advance(10_000);
            reader.fetchEvents(2);
            assertThat(reader.undeleted()).isEqualTo(1);
            assertThat(reader.values()).containsExactly("2", "3");
        }
    }

    /** A hundred thousand delivered rows that somebody has locked. */
    @Test
    void readsNothingWhileTooManyRowsWaitForTheirDeletion() throws InterruptedException, SQLException {
        int rows = Sweeper.MAX_WAITING_ROWS;
        postgres.execute(
                RunningReader.create("filled", "text"),
                "INSERT INTO filled (payload) SELECT i FROM generate_series(1, " + rows + ") i");
        Map<String, String> config = RunningReader.config(postgres, postgres.jdbcUrl(), "filled", Map.of());
        try (Connection other = postgres.connect();
                RunningReader reader = new RunningReader(config, committed).start()) {
            reader.fetchEvents(rows);
            other.setAutoCommit(false);
            try (var sql = other.createStatement()) {
                boolean ignored = sql.execute("SELECT count(*) FROM (SELECT 1 FROM filled FOR UPDATE) locked");
            }
            reader.settle();
            postgres.execute(RunningReader.insert("filled", "behind"));
            // Until all of them were found to be locked.
            for (int i = 0; i < rows / Sweeper.BATCH_ROWS; i++) {
                reader.fetch();
            }
            long begunNanos = System.nanoTime();
            for (int i = 0; i < 10; i++) {
                reader.fetch();
            }
            assertThat(System.nanoTime() - begunNanos)
                    .as("rests, and asks the database for nothing")
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(500));
            assertThat(reader.values()).hasSize(rows);
            assertThat(reader.undeleted()).isEqualTo(rows);
            // The next attempt finds them locked: the database has answered.
            reader.advance(50_000);
            reader.fetch();
            assertThat(reader.silentMs()).isLessThan(50_000);
            other.rollback();
            reader.advance(10_000);
            reader.fetchEvents(rows + 1);
            assertThat(reader.values().get(rows)).isEqualTo("behind");
        }
    }

    /** Rows that were delivered, are there at the start and are behind rows that were not delivered. */
    @Test
    void deletesWhatWasDeliveredBeforeWhereverItIs() throws InterruptedException, SQLException {
        postgres.execute(RunningReader.create("behind", "text"));
        try (Connection late = postgres.connect();
                RunningReader reader = reader("behind", Map.of()).start()) {
            late.setAutoCommit(false);
            try (var sql = late.createStatement()) {
                boolean ignored = sql.execute(
                        "INSERT INTO behind (payload) SELECT 'late ' || i FROM generate_series(1, 12000) i");
            }
            postgres.execute(RunningReader.insert("behind", "early"));
            reader.fetchEvents(1);
            committed.put(
                    reader.seen().get(0).sourcePartition(),
                    new HashMap<>(reader.seen().get(0).sourceOffset()));
            late.commit();
        }
        try (RunningReader reader = reader("behind", Map.of()).start()) {
            reader.fetchEvents(12_000);
            reader.fetchUntil(() -> rows("behind") == 12_000, () -> rows("behind") + " rows");
            assertThat(List.copyOf(reader.values())).hasSize(12_000).doesNotContain("early");
        }
    }
}
