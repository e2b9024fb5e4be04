package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The statements of the upstream against random interleavings of transactions on a real database: savepoints, prepared
 * transactions, rollbacks, and reads, deletes and restarts in between, with one shard and with several. A second table,
 * written in the same transactions, has what is to be read. The rule that everybody tries first reads that one.
 */
class ReadingRuleIT {

    private static final int RUNS = 12;
    private static final int WRITERS = 6;
    private static final int STEPS = 150;

    private static WorkDirectory work;
    private static PostgresServer postgres;

    /** The writers' open transaction, or none. */
    private static final class Writer {
        private final Connection connection;
        private final int number;
        private int transaction;
        private int startedAt = -1;
        private boolean isPrepared;

        Writer(Connection connection, int number) {
            this.connection = connection;
            this.number = number;
        }

        String preparedName(String table) {
            return table + "_" + number + "_" + transaction;
        }
    }

    /** When a transaction took its first number, and when it had ended, in steps. */
    private record Life(int begun, int ended) {}

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("reading-rule");
        postgres = PostgresServer.start(
                work.path(),
                Map.of(
                        "max_prepared_transactions", "16",
                        // Nobody else flushes the log soon.
                        "wal_writer_delay", "10000"));
    }

    @AfterAll
    static void stop() {
        postgres.close();
        work.close();
    }

    private static OutboxConfig config(String table, int pageRows, int shards) {
        return new MicrobatchConfig(Map.of(
                        "upstream.type", "outbox",
                        "upstream.outbox.jdbc.url", postgres.jdbcUrl(),
                        "upstream.outbox.user", postgres.user(),
                        "upstream.outbox.password", postgres.password(),
                        "upstream.outbox.table", table,
                        "upstream.outbox.page.rows", Integer.toString(pageRows),
                        "upstream.outbox.shards", Integer.toString(shards)))
                .outbox();
    }

    private static void create(String table) {
        postgres.execute(
                "CREATE TABLE " + table + " (id int, aggregatetype text, aggregateid text, payload text, "
                        + "seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, "
                        + "xid xid8 NOT NULL DEFAULT pg_current_xact_id())",
                "CREATE TABLE " + table + "_truth (seq bigint)");
    }

    @Test
    void readsCommittedRowsOnceAndInOrder() throws InterruptedException, SQLException {
        int missedByNumber = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            missedByNumber += run("rows_" + seed, new Random(seed), seed % 2 == 0 ? 1 : 3);
        }
        assertThat(missedByNumber)
                .as("rows that a relay loses that asks for numbers above the last")
                .isPositive();
    }

    /** Returns how many rows the wrong rule has missed. */
    private static int run(String table, Random random, int shards) throws InterruptedException, SQLException {
        create(table);
        Map<String, Life> lives = new HashMap<>();
        TreeSet<Long> byNumber = new TreeSet<>();
        List<Writer> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Connection connection = postgres.connect();
            connection.setAutoCommit(false);
            writers.add(new Writer(connection, i));
        }
        try (TableRelay relay = new TableRelay(config(table, 1 + random.nextInt(4), shards));
                Connection other = postgres.connect()) {
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(4) == 0) {
                    boolean ignored = relay.readPage();
                    readByNumber(other, table, byNumber);
                }
                if (random.nextInt(15) == 0) {
                    relay.restart();
                }
                if (random.nextInt(15) == 0) {
                    relay.delete();
                }
                step(writers.get(random.nextInt(WRITERS)), other, table, random, step, lives);
            }
            for (Writer writer : writers) {
                end(writer, other, table, random.nextBoolean(), STEPS, lives);
                writer.connection.close();
            }
            // The first empty page may only be the end of an interval.
            for (int empty = 0; empty < 2; ) {
                empty = relay.readPage() ? 0 : empty + 1;
            }
            readByNumber(other, table, byNumber);
            List<Long> committed = numbers(other, "SELECT seq FROM " + table + "_truth");
            List<Long> seen = new ArrayList<>();
            for (TableRelay.Part part : relay.parts) {
                checkOrder(part.read, lives);
                part.read.forEach(row -> seen.add(row.seq()));
            }
            assertThat(seen).containsExactlyInAnyOrderElementsOf(committed);
            relay.delete();
            assertThat(numbers(other, "SELECT seq FROM " + table)).isEmpty();
            return committed.size() - byNumber.size();
        }
    }

    private static void checkOrder(List<OutboxRow> read, Map<String, Life> lives) {
        for (int i = 0; i < read.size(); i++) {
            for (int j = i + 1; j < read.size(); j++) {
                Life earlier = lives.get(read.get(i).key());
                Life later = lives.get(read.get(j).key());
                assertThat(later.ended() >= 0 && later.ended() < earlier.begun())
                        .as("%s ended before %s began, and is behind it", read.get(j), read.get(i))
                        .isFalse();
            }
        }
    }

    /** Lets a writer do something: insert with or without a savepoint, undo a savepoint, prepare, or end. */
    private static void step(
            Writer writer, Connection other, String table, Random random, int step, Map<String, Life> lives)
            throws SQLException {
        if (writer.isPrepared || (writer.startedAt >= 0 && random.nextInt(3) == 0)) {
            end(writer, other, table, random.nextInt(4) != 0, step, lives);
            return;
        }
        if (writer.startedAt < 0) {
            writer.startedAt = step;
            writer.transaction++;
        }
        switch (random.nextInt(5)) {
            case 0 -> {
                Savepoint savepoint = writer.connection.setSavepoint();
                insert(writer, table);
                writer.connection.releaseSavepoint(savepoint);
            }
            case 1 -> {
                Savepoint savepoint = writer.connection.setSavepoint();
                insert(writer, table);
                writer.connection.rollback(savepoint);
            }
            case 2 -> {
                insert(writer, table);
                execute(writer.connection, "PREPARE TRANSACTION '" + writer.preparedName(table) + "'");
                writer.isPrepared = true;
            }
            default -> insert(writer, table);
        }
    }

    private static void insert(Writer writer, String table) throws SQLException {
        execute(
                writer.connection,
                "WITH event AS (INSERT INTO " + table + " (id, aggregatetype, aggregateid, payload) "
                        + "VALUES (1, 'orders', '" + name(writer) + "', 'x') RETURNING seq) INSERT INTO " + table
                        + "_truth SELECT seq FROM event");
    }

    private static String name(Writer writer) {
        return writer.number + "/" + writer.transaction;
    }

    private static void end(
            Writer writer, Connection other, String table, boolean commits, int step, Map<String, Life> lives)
            throws SQLException {
        if (writer.startedAt < 0) {
            return;
        }
        if (writer.isPrepared) {
            writer.connection.rollback();
            String prepared = " PREPARED '" + writer.preparedName(table) + "'";
            execute(other, (commits ? "COMMIT" : "ROLLBACK") + prepared);
        } else if (commits) {
            writer.connection.commit();
        } else {
            writer.connection.rollback();
        }
        lives.put(name(writer), new Life(writer.startedAt, step));
        writer.startedAt = -1;
        writer.isPrepared = false;
    }

    private static void execute(Connection connection, String statement) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    /** The planted error: asks for numbers above the highest that it has seen. */
    private static void readByNumber(Connection connection, String table, TreeSet<Long> seen) throws SQLException {
        long last = seen.isEmpty() ? 0 : seen.last();
        seen.addAll(numbers(connection, "SELECT seq FROM " + table + "_truth WHERE seq > " + last));
    }

    private static List<Long> numbers(Connection connection, String query) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }

    @Test
    void countsASnapshotOnlyWhenTheLogIsOnDisk() throws InterruptedException, SQLException {
        create("flushed");
        try (TableRelay relay = new TableRelay(config("flushed", 10, 1));
                Connection writer = postgres.connect();
                Connection other = postgres.connect()) {
            writer.setAutoCommit(false);
            for (int i = 0; i < 5; i++) {
                execute(writer, "INSERT INTO flushed (id) VALUES (1)");
                // Nobody flushes the end of a transaction that was rolled back.
                writer.rollback();
                String position = "SELECT (%s - '0/0'::pg_lsn)::bigint";
                long written = numbers(other, position.formatted("pg_current_wal_insert_lsn()"))
                        .get(0);
                assertThat(relay.snapshot()).as("within a second of the clock").isNotNull();
                long flushed = numbers(other, position.formatted("pg_current_wal_flush_lsn()"))
                        .get(0);
                assertThat(flushed).isGreaterThanOrEqualTo(relay.server.log().endOfLastRecord(written));
            }
        }
    }

    /** The log of a rolled back transaction is lost in the crash, and its id is given to another one. */
    @Test
    void readsATransactionThatGetsTheIdOfOneBeforeTheCrash() throws InterruptedException, SQLException {
        create("reused");
        Snapshot before;
        try (TableRelay relay = new TableRelay(config("reused", 10, 1));
                Connection writer = postgres.connect()) {
            writer.setAutoCommit(false);
            execute(writer, "INSERT INTO reused (id) VALUES (1)");
            writer.rollback();
            before = relay.snapshot();
        }
        postgres.kill();
        postgres.restart();
        try (TableRelay relay = new TableRelay(config("reused", 10, 1))) {
            relay.position().open(before);
            relay.position().finish();
            postgres.execute("INSERT INTO reused (id) VALUES (2)");
            assertThat(relay.readPage()).isTrue();
            assertThat(relay.parts.get(0).read)
                    .singleElement()
                    .extracting(OutboxRow::id)
                    .isEqualTo("2");
        }
    }

    @Test
    void limitsAPageInBytesAndReadsTheRestInOrder() throws InterruptedException, SQLException {
        create("large");
        postgres.execute("INSERT INTO large (id, aggregatetype, aggregateid, payload) SELECT i, 'orders', 'k', "
                + "CASE WHEN i = 7 THEN repeat('x', 2000000) WHEN i = 9 THEN NULL ELSE repeat('x', 900000) END "
                + "FROM generate_series(1, 30) i ORDER BY i");
        try (TableRelay relay = new TableRelay(config("large", 2_000, 1))) {
            relay.position().open(relay.snapshot());
            List<Integer> pages = new ArrayList<>();
            List<Long> seen = new ArrayList<>();
            while (seen.size() < 30) {
                List<OutboxRow> rows = relay.table
                        .page(relay.database, relay.position(), 0, 2_000)
                        .rows();
                assertThat(rows).isNotEmpty();
                pages.add(rows.size());
                for (OutboxRow row : rows) {
                    seen.add(row.seq());
                    relay.position().advance(row.seq());
                    assertThat(row.payload() == null).isEqualTo(row.seq() == 7 || row.seq() == 9);
                    assertThat(row.payloadBytes()).isEqualTo(row.seq() == 7 ? 2_000_000 : row.seq() == 9 ? 0 : 900_000);
                }
            }
            assertThat(seen).isSorted().doesNotHaveDuplicates();
            assertThat(pages).allMatch(rows -> rows <= 11).hasSizeGreaterThan(2);
        }
    }
}
