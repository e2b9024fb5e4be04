package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages of rows that take long, and of several shards. */
@Timeout(180)
class OutboxPagesIT {

    /** A type whose text the server takes long to write. */
    private static final String[] SLOW_TYPE = {
        "CREATE TYPE slow AS (v text)",
        "CREATE SEQUENCE conversions",
        "CREATE TABLE pace AS SELECT 0.0::float8 AS seconds",
        "CREATE FUNCTION slow_text(slow) RETURNS text LANGUAGE plpgsql AS "
                + "'BEGIN PERFORM nextval(''conversions''), pg_sleep((SELECT seconds FROM pace)); "
                + "RETURN ($1).v; END'",
        "CREATE CAST (slow AS text) WITH FUNCTION slow_text(slow)"
    };

    private static WorkDirectory work;
    private static PostgresServer postgres;

    private final Map<Map<String, ?>, Map<String, Object>> committed = new HashMap<>();

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("outbox-pages");
        postgres = PostgresServer.start(work.path());
        postgres.execute(SLOW_TYPE);
    }

    @AfterAll
    static void stop() {
        postgres.close();
        work.close();
    }

    @Test
    void readsSmallerPagesWhenOneTakesTooLong() throws InterruptedException {
        postgres.execute(
                "UPDATE pace SET seconds = 0.2",
                RunningReader.create("heavy", "slow"),
                "INSERT INTO heavy (payload) SELECT ROW(i)::slow FROM generate_series(1, 20) i");
        Map<String, String> config = RunningReader.config(
                postgres, postgres.jdbcUrl() + "?socketTimeout=3", "heavy", Map.of("page.rows", "32"));
        try (RunningReader reader = new RunningReader(config, committed).start()) {
            reader.fetchEvents(20);
            assertThat(reader.values())
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
                            .mapToObj(Integer::toString)
                            .toList());
        }
    }

    @Test
    void readsOnlyAsManyStoredPayloadsAsAPageMayHave() throws InterruptedException {
        postgres.execute(
                "UPDATE pace SET seconds = 0",
                "ALTER SEQUENCE conversions RESTART",
                RunningReader.create("stored", "slow"),
                "ALTER TABLE stored ALTER COLUMN payload SET STORAGE EXTERNAL",
                "INSERT INTO stored (payload) SELECT ROW(repeat('x', 3000000))::slow FROM generate_series(1, 20)",
                "INSERT INTO stored (payload) VALUES (NULL)");
        Map<String, String> config =
                RunningReader.config(postgres, postgres.jdbcUrl(), "stored", Map.of("max.payload.bytes", "4000000"));
        try (RunningReader reader = new RunningReader(config, committed).start()) {
            reader.fetchEvents(1);
            assertThat(reader.seen()).hasSizeLessThanOrEqualTo(3);
            assertThat(RunningReader.number(postgres, "SELECT last_value FROM conversions"))
                    .isLessThanOrEqualTo(3);
            reader.fetchEvents(21);
            assertThat(reader.values().get(20)).isNull();
        }
    }

    /** The worker holds a whole page on its heap, and the database stores such keys in a few kilobytes. */
    @Test
    void readsOnlyAsManyLargeKeysAsAPageMayHave() throws InterruptedException {
        postgres.execute(
                RunningReader.create("keys", "text"),
                "INSERT INTO keys (aggregateid, payload) SELECT repeat('k', 900000), i FROM generate_series(1, 20) i");
        Map<String, String> config = RunningReader.config(postgres, postgres.jdbcUrl(), "keys", Map.of());
        try (RunningReader reader = new RunningReader(config, committed).start()) {
            reader.fetchEvents(1);
            assertThat(reader.seen()).hasSizeLessThanOrEqualTo(10);
            reader.fetchEvents(20);
            assertThat(reader.values())
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
                            .mapToObj(Integer::toString)
                            .toList());
        }
    }

    @Test
    void doesNotReadARowWhoseOtherColumnsAreTooLarge() throws InterruptedException {
        postgres.execute(
                "CREATE TABLE others (id text, aggregatetype text, aggregateid text, kind text, payload text, "
                        + "seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, "
                        + "xid xid8 NOT NULL DEFAULT pg_current_xact_id())",
                "INSERT INTO others VALUES (repeat('i', 2001), 'orders', 'k', 'a', '1'), "
                        + "('i', repeat('o', 2001), 'k', 'a', '2'), ('i', 'orders', repeat('k', 2001), 'a', '3'), "
                        + "('i', 'orders', 'k', repeat('a', 2001), '4'), ('i', 'orders', 'k', 'a', '5')");
        Map<String, String> config = RunningReader.config(
                postgres,
                postgres.jdbcUrl(),
                "others",
                Map.of("max.payload.bytes", "2000", "fields.additional", "kind:header"));
        try (RunningReader reader = new RunningReader(config, committed).start()) {
            reader.fetchEvents(5);
            assertThat(reader.seen()).extracting(EventRecord::key).containsExactly(null, null, null, null, "k");
        }
    }

    /** A database that hangs is noticed by its silence only if nobody claims to have heard it. */
    @Test
    void hasHeardTheDatabaseOnlyWhenItHasAskedIt() throws InterruptedException {
        postgres.execute(RunningReader.create("rare", "text"));
        Map<String, String> config =
                RunningReader.config(postgres, postgres.jdbcUrl(), "rare", Map.of("poll.interval.ms", "60000"));
        try (RunningReader reader = new RunningReader(config, committed).freeze()) {
            reader.start().fetch();
            reader.fetch();
            assertThat(reader.silentMs()).isZero();
            reader.advance(30_000);
            reader.fetch();
            assertThat(reader.silentMs()).isEqualTo(30_000);
            reader.advance(31_000);
            reader.fetch();
            assertThat(reader.silentMs()).isZero();
            assertThat(reader.heartbeatMs()).isEqualTo(60_000);
        }
    }

    /** Throws at the second question, as a store does that is not ready. */
    private static final class LateOffsets implements OffsetStorageReader {

        private final StoredOffsets offsets = new StoredOffsets(new HashMap<>());
        private int questions;

        @Override
        public <T> Map<String, Object> offset(Map<String, T> partition) {
            questions++;
            if (questions == 2) {
                throw new RetriableException("not yet");
            }
            return offsets.offset(partition);
        }

        @Override
        public <T> Map<Map<String, T>, Map<String, Object>> offsets(Collection<Map<String, T>> partitions) {
            return offsets.offsets(partitions);
        }
    }

    @Test
    void readsEveryShardAfterAStartThatFailedBetweenTheirOffsets() throws InterruptedException {
        postgres.execute(
                RunningReader.create("sharded", "text"),
                "INSERT INTO sharded (aggregateid, payload) SELECT i, i FROM generate_series(1, 60) i");
        Map<String, String> config =
                RunningReader.config(postgres, postgres.jdbcUrl(), "sharded", Map.of("shards", "3"));
        try (RunningReader reader = new RunningReader(config, committed, new LateOffsets())) {
            assertThatThrownBy(reader::start).isInstanceOf(RetriableException.class);
            reader.stop();
            reader.start().fetchEvents(60);
            assertThat(reader.seen().stream().map(EventRecord::sourcePartition).distinct())
                    .hasSize(3);
        }
    }
}
