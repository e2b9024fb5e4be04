package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A position that the connector has confirmed to PostgreSQL is in Kafka, with its source offset. The test checks this
 * after each kill of a worker at a random moment under load. At the end it compares the topic with the table.
 */
@ExtendWith(Cluster.Shared.class)
@Tag("long")
class ConfirmedPositionIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int KILLS = Integer.getInteger("it.confirmed.kills", 3);
    private static final int ROWS_PER_COMMIT = 5;
    private static final int MAX_COMMITS_BEFORE_KILL = 200;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    /** The last id of each transaction, by the position after its commit. */
    private final TreeMap<Long, Long> lastIdByLsn = new TreeMap<>();

    private long lastId;

    ConfirmedPositionIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void isNeverAheadOfTheTopicNorOfTheCommittedOffset(Mode mode, TestReporter reporter) throws Exception {
        String name = "confirmed_" + mode.suffix().replace('-', '_');
        ConnectWorker worker = cluster.worker(mode);
        Random random = new Random(20_261_121);
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            worker.rest().create(name, table.hosted(cluster));
            worker.awaitRunning(name, 1);
            // The position at the creation of a slot confirms nothing.
            Await.until("the slot", PATIENCE, () -> table.confirmedLsn() >= 0, () -> "not made");
            long before = table.confirmedLsn();
            for (int kill = 1; kill <= KILLS; kill++) {
                // Only a connector that has confirmed something since its start can confirm too much.
                awaitConfirmedPast(table, before);
                load(table, random.nextInt(MAX_COMMITS_BEFORE_KILL));
                cluster.kill(worker);
                Await.until("the slot to be free", PATIENCE, () -> !table.isSlotActive(), () -> "active");
                before = table.confirmedLsn();
                try {
                    long committed = awaitCommitted(mode, name, before);
                    reporter.publishEntry(
                            mode + " kill " + kill,
                            "confirmed " + before + ", offset ahead by " + (committed - before));
                    awaitHeldByKafka(table, before);
                } finally {
                    // Other tests run on this worker.
                    worker.restart();
                }
            }
            assertEveryRow(table, mode);
            worker.rest().delete(name);
        }
    }

    private void load(PostgresFixture table, int commits) {
        for (int i = 0; i < commits; i++) {
            table.insert(lastId + 1, lastId + ROWS_PER_COMMIT);
            lastId += ROWS_PER_COMMIT;
            lastIdByLsn.put(table.currentLsn(), lastId);
        }
    }

    private void awaitConfirmedPast(PostgresFixture table, long lsn) {
        Await.until(
                "a confirmed position",
                PATIENCE,
                () -> {
                    load(table, 1);
                    return table.confirmedLsn() > lsn;
                },
                () -> "at " + table.confirmedLsn());
    }

    /**
     * Waits for the offset. The worker is dead, so nothing commits any more. But the open transaction of a killed or
     * failed task hides later commits until the broker aborts it at its timeout.
     */
    private long awaitCommitted(Mode mode, String name, long confirmed) {
        Await.until(
                "an offset of " + confirmed + " or more; " + mode,
                PATIENCE,
                () -> committedLsn(mode, name) >= confirmed,
                () -> "committed " + committedLsn(mode, name));
        return committedLsn(mode, name);
    }

    private void awaitHeldByKafka(PostgresFixture table, long confirmed) {
        Map.Entry<Long, Long> last = lastIdByLsn.floorEntry(confirmed);
        if (last != null) {
            Set<Long> wanted =
                    LongStream.rangeClosed(1, last.getValue()).boxed().collect(Collectors.toSet());
            Await.until(
                    "the rows that the database does not send again",
                    PATIENCE,
                    () -> Set.copyOf(table.ids(cluster.reader())).containsAll(wanted),
                    () -> table.ids(cluster.reader()).size() + " of " + wanted.size());
        }
    }

    /** The position at which Debezium would continue: the end of the last transaction that it has read completely. */
    private long committedLsn(Mode mode, String name) {
        long[] lsn = {-1};
        cluster.reader().readCommitted(Cluster.offsetsTopic(mode), record -> {
            if (new String(record.key(), StandardCharsets.UTF_8).contains('"' + name + '"') && record.value() != null) {
                JsonNode offset = tree(record.value());
                lsn[0] = offset.path(offset.has("lsn_commit") ? "lsn_commit" : "lsn_proc")
                        .asLong(-1);
            }
        });
        return lsn[0];
    }

    private JsonNode tree(byte[] bytes) {
        try {
            return json.readTree(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertEveryRow(PostgresFixture table, Mode mode) {
        Await.until(
                lastId + " rows in Kafka",
                PATIENCE,
                () -> table.ids(cluster.reader()).stream().distinct().count() >= lastId,
                () -> table.ids(cluster.reader()).stream().distinct().count() + " of " + lastId);
        List<Long> ids = table.ids(cluster.reader());
        List<Long> rows = LongStream.rangeClosed(1, lastId).boxed().toList();
        assertThat(mode == Mode.EXACTLY_ONCE ? ids : ids.stream().distinct().toList())
                .isEqualTo(rows);
    }
}
