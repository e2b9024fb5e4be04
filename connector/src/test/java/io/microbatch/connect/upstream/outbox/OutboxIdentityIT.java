package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An offset counts only for the server, its timeline, the database and the table that it is of. */
@Timeout(180)
class OutboxIdentityIT {

    private static WorkDirectory work;
    private static PostgresServer postgres;

    private final Map<Map<String, ?>, Map<String, Object>> committed = new HashMap<>();

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("outbox-identity");
        // The checkpoint after a promotion takes its time.
        postgres = PostgresServer.start(work.path(), Map.of("checkpoint_timeout", "3600"));
    }

    @AfterAll
    static void stop() {
        postgres.close();
        work.close();
    }

    private RunningReader reader(String table, Map<String, String> more) {
        return new RunningReader(RunningReader.config(postgres, postgres.jdbcUrl(), table, more), committed);
    }

    private void deliver(RunningReader reader, int events) throws InterruptedException {
        reader.start().fetchEvents(events).settle();
        reader.close();
    }

    private static String ofDatabase(String name) {
        return postgres.jdbcUrl().replaceAll("/[^/]*$", "/" + name);
    }

    @Test
    void takesTheRowsOfAnotherDatabaseForNew() throws InterruptedException, SQLException {
        postgres.execute("CREATE DATABASE shop_b", RunningReader.create("moved", "text"));
        String other = ofDatabase("shop_b");
        RunningReader.execute(
                postgres, other, RunningReader.create("moved", "text"), RunningReader.insert("moved", "b1", "b2"));
        postgres.execute(RunningReader.insert("moved", "a1"));
        deliver(reader("moved", Map.of()), 1);

        Map<String, String> config = RunningReader.config(postgres, other, "moved", Map.of());
        try (RunningReader reader = new RunningReader(config, committed).start()) {
            reader.fetchEvents(2);
            assertThat(reader.values()).containsExactly("b1", "b2");
        }
    }

    @Test
    void takesTheRowsOfAnotherTableOfTheNameForNew() throws InterruptedException {
        postgres.execute(
                RunningReader.create("swapped", "text"),
                RunningReader.create("swapped_next", "text"),
                RunningReader.insert("swapped_next", "next 1", "next 2"),
                RunningReader.insert("swapped", "first"));
        deliver(reader("swapped", Map.of()), 1);
        postgres.execute("ALTER TABLE swapped RENAME TO swapped_before", "ALTER TABLE swapped_next RENAME TO swapped");
        try (RunningReader reader = reader("swapped", Map.of()).start()) {
            reader.fetchEvents(2);
            assertThat(reader.values()).containsExactly("next 1", "next 2");
        }
    }

    @Test
    void noticesAnotherTableOfTheNameWhileItReads() throws InterruptedException {
        postgres.execute(
                RunningReader.create("replaced", "text"),
                RunningReader.create("replaced_next", "text"),
                RunningReader.insert("replaced_next", "next 1", "next 2"),
                RunningReader.insert("replaced", "first"));
        try (RunningReader reader = reader("replaced", Map.of()).start()) {
            reader.fetchEvents(1);
            postgres.execute("BEGIN; ALTER TABLE replaced RENAME TO replaced_before; "
                    + "ALTER TABLE replaced_next RENAME TO replaced; COMMIT");
            reader.settle();
            reader.fetchEvents(3);
            assertThat(reader.values()).containsExactly("first", "next 1", "next 2");
            reader.settle();
            reader.fetchUntil(() -> RunningReader.number(postgres, "SELECT count(*) FROM replaced") == 0, () -> "rows");
        }
    }

    @Test
    void readsNoPageOfAnotherServer() throws InterruptedException, SQLException {
        postgres.execute("CREATE DATABASE shop_c", RunningReader.create("paged", "text"));
        RunningReader.execute(postgres, ofDatabase("shop_c"), RunningReader.create("paged", "text"));
        OutboxConfig here = outbox(postgres.jdbcUrl());
        OutboxConfig there = outbox(ofDatabase("shop_c"));
        try (OutboxConnection database = OutboxConnection.open(here, "test", 30);
                OutboxConnection other = OutboxConnection.open(there, "test", 30);
                RunningReader reader = reader("paged", Map.of()).start()) {
            postgres.execute(RunningReader.insert("paged", "x"));
            reader.fetchEvents(1);
            OutboxTable table = TableInspection.of(database, here).table();
            Map<String, Object> offset = new HashMap<>(reader.seen().get(0).sourceOffset());
            offset.put("seq", 0L);
            OutboxPosition position = OutboxPosition.of(offset);
            assertThat(table.page(database, position, 0, 10).rows()).hasSize(1);
            // A pooler may switch the server between two statements. No row is not the same as no server.
            assertThatThrownBy(() -> table.page(other, position, 0, 10)).isInstanceOf(OtherServerException.class);
        }
    }

    private static OutboxConfig outbox(String url) {
        return new MicrobatchConfig(RunningReader.config(postgres, url, "paged", Map.of())).outbox();
    }

    /** After a failover a shard has an offset on the new server only when it has had a row. */
    @Test
    void takesOnlyTheRowsOfAShardForNewWhoseOffsetIsOfAnotherServer() throws InterruptedException, SQLException {
        Map<String, String> two = Map.of("shards", "2");
        postgres.execute(
                RunningReader.create("sharded", "text"),
                "INSERT INTO sharded (aggregateid, payload) SELECT 'k' || i, i FROM generate_series(1, 20) i");
        List<Object> ofTheFirst;
        Map<String, ?> first;
        try (Connection other = postgres.connect();
                RunningReader reader = reader("sharded", two)) {
            // What another transaction has locked is not deleted yet.
            other.setAutoCommit(false);
            assertThat(RunningReader.texts(other, "SELECT seq FROM sharded FOR UPDATE"))
                    .hasSize(20);
            reader.start().fetchEvents(20).settle();
            assertThat(committed).hasSize(2);
            first = committed.keySet().iterator().next();
            ofTheFirst = reader.seen().stream()
                    .filter(event -> event.sourcePartition().equals(first))
                    .<Object>map(EventRecord::value)
                    .toList();
        }
        assertThat(ofTheFirst).hasSizeBetween(1, 19);
        assertThat(RunningReader.number(postgres, "SELECT count(*) FROM sharded"))
                .isEqualTo(20);
        committed.get(first).put("server", "1/00000009/5/6");

        try (RunningReader reader = reader("sharded", two).start()) {
            reader.fetchEvents(ofTheFirst.size()).settle();
            reader.fetchUntil(() -> RunningReader.number(postgres, "SELECT count(*) FROM sharded") == 0, () -> "rows");
            assertThat(reader.values()).isEqualTo(ofTheFirst);
        }
    }

    /** Other offsets may be of the time before that, and no longer name transactions that are not begun. */
    @Test
    void takesTheRowsOfAllShardsForNewWhenTheServerHasGoneBackBehindOneOffset()
            throws InterruptedException, SQLException {
        Map<String, String> two = Map.of("shards", "2");
        postgres.execute(
                RunningReader.create("gone_back", "text"),
                "INSERT INTO gone_back (aggregateid, payload) SELECT 'k' || i, i FROM generate_series(1, 20) i");
        try (Connection other = postgres.connect();
                RunningReader reader = reader("gone_back", two)) {
            other.setAutoCommit(false);
            assertThat(RunningReader.texts(other, "SELECT seq FROM gone_back FOR UPDATE"))
                    .hasSize(20);
            reader.start().fetchEvents(20).settle();
        }
        assertThat(committed).hasSize(2);
        committed
                .values()
                .iterator()
                .next()
                .putAll(Map.of("from", "900000000:900000000:", "to", "900000000:900000000:"));
        try (RunningReader reader = reader("gone_back", two).start()) {
            reader.fetchEvents(20);
            assertThat(reader.values()).hasSize(20);
        }
    }

    /** The number of rows is for the log only. */
    @Test
    void readsATableThatCannotBeCountedInTime() throws SQLException {
        postgres.execute("CREATE DATABASE shop_d", "ALTER DATABASE shop_d SET statement_timeout = '5s'");
        String url = ofDatabase("shop_d");
        RunningReader.execute(postgres, url, RunningReader.create("paged", "text"));
        OutboxConfig config = outbox(url);
        try (OutboxConnection database = OutboxConnection.open(config, "test", 30);
                Connection other = DriverManager.getConnection(url, postgres.user(), postgres.password());
                Statement sql = other.createStatement()) {
            OutboxTable table = TableInspection.of(database, config).table();
            other.setAutoCommit(false);
            boolean ignored = sql.execute("LOCK TABLE paged IN ACCESS EXCLUSIVE MODE");
            assertThatCode(() -> ServerChange.warn(database, table, List.of(0))).doesNotThrowAnyException();
        }
    }

    @Test
    void refusesRowsOfTransactionsThatTheServerHasNotBegun() throws InterruptedException {
        postgres.execute(
                RunningReader.create("restored", "text"),
                "INSERT INTO restored (payload, xid) VALUES ('old 1', '5000000'), ('old 2', '5000001')",
                RunningReader.insert("restored", "new"));
        try (RunningReader reader = reader("restored", Map.of())) {
            Matcher cure = Pattern.compile("UPDATE .*").matcher(failure(reader));
            assertThat(cure.find()).isTrue();
            postgres.execute(cure.group());
            reader.start().fetchEvents(3);
            assertThat(reader.values()).containsExactly("old 1", "old 2", "new");
        }
    }

    private static String failure(RunningReader reader) {
        try {
            RunningReader ignored = reader.start();
        } catch (ConnectException e) {
            return e.getMessage();
        }
        throw new AssertionError("the start should have failed");
    }

    @Test
    void saysWhichOffsetLosesNoRowThatIsKept() throws InterruptedException, SQLException {
        Map<String, String> keep = Map.of("after", "keep");
        postgres.execute(RunningReader.create("kept", "text"), RunningReader.insert("kept", "before"));
        try (Connection late = postgres.connect()) {
            late.setAutoCommit(false);
            try (var sql = late.createStatement()) {
                boolean ignored = sql.execute(RunningReader.insert("kept", "late"));
            }
            postgres.execute(RunningReader.insert("kept", "after"));
            deliver(reader("kept", keep), 2);
            late.commit();
        }
        // As after a failover.
        committed.values().forEach(offset -> offset.put("server", "1/00000009/5/6"));
        RunningReader reader = reader("kept", keep);
        Matcher advice = Pattern.compile(
                        "\"from\": \"(.*?)\", \"to\": \"(.*?)\", \"seq\": <.*?>, \"server\": \"(.*?)\"")
                .matcher(failure(reader));
        assertThat(advice.find()).isTrue();
        assertThat(failure(reader)).contains("smaller than that of every row that Kafka does not have");
        // The second row is not in Kafka.
        committed
                .values()
                .forEach(offset -> offset.putAll(
                        Map.of("from", advice.group(1), "to", advice.group(2), "seq", 1L, "server", advice.group(3))));
        try (RunningReader again = reader("kept", keep).start()) {
            again.fetchEvents(2);
            assertThat(again.values()).containsExactly("late", "after");
        }
    }

    @Test
    void seesThePromotionOfAStandbyBeforeItsFirstCheckpoint() throws InterruptedException, SQLException {
        try (WorkDirectory directory = WorkDirectory.create("outbox-promotion");
                PostgresServer server = PostgresServer.start(directory.path(), Map.of("checkpoint_timeout", "3600"))) {
            server.execute(
                    RunningReader.create("promoted", "text"),
                    RunningReader.insert("promoted", "before"),
                    "CHECKPOINT",
                    // Something for the checkpoint of the promotion to write.
                    "CREATE TABLE filler AS SELECT i, repeat('x', 500) FROM generate_series(1, 100000) i");
            Map<String, String> config = RunningReader.config(
                    server, server.jdbcUrl(), "promoted", Map.of("wal.check", "false", "after", "delete"));
            try (RunningReader reader = new RunningReader(config, committed).start()) {
                reader.fetchEvents(1);
                server.execute("COPY (SELECT '') TO '" + server.setting("data_directory") + "/standby.signal'");
                server.kill();
                server.restart();
                server.execute("SELECT pg_promote()", RunningReader.insert("promoted", "after"));
                reader.fetchEvents(3);
                assertThat(reader.values()).containsExactly("before", "before", "after");
                assertThat(reader.seen().get(2).sourceOffset().get("server").toString())
                        .contains("/00000002/");
            }
        }
    }

    @Test
    void namesTheDatabaseAndTheTableInTheOffset() throws InterruptedException {
        postgres.execute(RunningReader.create("named", "text"), RunningReader.insert("named", "x"));
        try (RunningReader reader = reader("named", Map.of()).start()) {
            reader.fetchEvents(1);
            long table = RunningReader.number(postgres, "SELECT 'named'::regclass::oid::bigint");
            long database = RunningReader.number(
                    postgres, "SELECT oid::bigint FROM pg_database WHERE datname = current_database()");
            assertThat(List.of(reader.seen()
                            .get(0)
                            .sourceOffset()
                            .get("server")
                            .toString()
                            .split("/", -1)))
                    .hasSize(4)
                    .endsWith("00000001", Long.toString(database), Long.toString(table));
        }
    }
}
