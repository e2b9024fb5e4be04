package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The events of one change of a database are in one transaction, although each poll and each batch has one event. A
 * transaction's marker takes an offset of the topic, so no marker is between records with consecutive offsets.
 */
@ExtendWith(Cluster.Shared.class)
@Tag("long")
class HostedRunsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(240);
    private static final int ROWS = 300;
    private static final int COPIED = 150;
    private static final int KILL_AFTER_COMMITS = 50;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    HostedRunsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** A record and its change. The operation of a tombstone is empty. */
    private record Change(String operation, long lsn, ConsumerRecord<byte[], byte[]> record) {}

    @Test
    void stayTogetherAcrossAKillOfTheWorker() throws Exception {
        String name = "hosted_runs";
        FailpointControl failpoints = cluster.failpoints(name);
        try (ConnectWorker worker = cluster.workerWith(failpoints, name);
                PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            worker.rest().create(name, config(table));
            worker.awaitRunning(name, 1);
            // Streamed instead of read by the snapshot.
            Await.until("the slot", PATIENCE, () -> table.confirmedLsn() >= 0, () -> "not made");
            table.insert(1, 1);
            awaitRecords(table, 1);
            table.insert(2, ROWS);
            table.copy(ROWS + 1, ROWS + COPIED);
            awaitRecords(table, ROWS + COPIED);

            failpoints.arm(Failpoint.AFTER_TRANSACTION_COMMIT, FailpointAction.HALT, KILL_AFTER_COMMITS);
            for (int id = 1; id <= ROWS; id++) {
                table.execute(
                        id % 10 == 0
                                ? "UPDATE " + name + " SET id = " + (1_000 + id) + " WHERE id = " + id
                                : "DELETE FROM " + name + " WHERE id = " + id);
            }
            assertThat(failpoints.awaitHit(PATIENCE)).isTrue();
            Await.until("the end of the worker", PATIENCE, () -> !worker.isAlive(), worker::logTail);
            failpoints.disarm();
            cluster.abortTransactions(worker);
            worker.restart();
            int changedKeys = ROWS / 10;
            awaitRecords(table, ROWS + COPIED + 2 * ROWS + changedKeys);

            assertTogether(table, changedKeys);
            worker.rest().delete(name);
        }
    }

    private Map<String, String> config(PostgresFixture table) {
        Map<String, String> config = table.hosted(cluster);
        config.put("batch.objective", "latency");
        config.put("batch.mode", "fixed");
        config.put("batch.max.records", "1");
        config.put("batch.linger.ms", "0");
        return config;
    }

    private void assertTogether(PostgresFixture table, int changedKeys) {
        Map<Long, List<Change>> byPosition = new LinkedHashMap<>();
        long lsn = 0;
        for (ConsumerRecord<byte[], byte[]> record : cluster.reader().readCommitted(table.topic())) {
            Change change = change(record, lsn);
            lsn = change.lsn();
            byPosition.computeIfAbsent(lsn, position -> new ArrayList<>()).add(change);
        }
        assertThat(byPosition.values()).allSatisfy(HostedRunsIT::assertNoGap);
        assertThat(operations(byPosition, "d,")).hasSize(ROWS - changedKeys);
        assertThat(operations(byPosition, "d,,c")).hasSize(changedKeys);
        assertThat(operations(byPosition, "c"))
                .as("rows that were inserted one by one have their own position")
                .hasSize(ROWS);
        assertThat(byPosition.values().stream()
                        .filter(changes -> changes.size() > 1 && isInsert(changes))
                        .mapToInt(List::size)
                        .sum())
                .as("rows of COPY that share a position")
                .isEqualTo(COPIED);
        List<Long> inserted = LongStream.rangeClosed(1, ROWS + COPIED).boxed().toList();
        assertThat(table.ids(cluster.reader()).subList(0, ROWS + COPIED)).isEqualTo(inserted);
    }

    private static boolean isInsert(List<Change> changes) {
        return changes.stream().allMatch(change -> change.operation().equals("c"));
    }

    private static List<List<Change>> operations(Map<Long, List<Change>> byPosition, String wanted) {
        return byPosition.values().stream()
                .filter(changes -> wanted.equals(
                        String.join(",", changes.stream().map(Change::operation).toList())))
                .toList();
    }

    private static void assertNoGap(List<Change> changes) {
        long first = changes.get(0).record().offset();
        assertThat(changes.stream().map(change -> change.record().offset()))
                .containsExactlyElementsOf(
                        LongStream.range(first, first + changes.size()).boxed().toList());
    }

    /** Reads a record. A tombstone belongs to the change before it. */
    private Change change(ConsumerRecord<byte[], byte[]> record, long previousLsn) {
        if (record.value() == null) {
            return new Change("", previousLsn, record);
        }
        try {
            JsonNode value = json.readTree(record.value());
            JsonNode payload = value.path("payload").isMissingNode() ? value : value.path("payload");
            return new Change(
                    payload.path("op").asText(),
                    payload.path("source").path("lsn").asLong(),
                    record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitRecords(PostgresFixture table, int count) {
        Await.until(
                count + " records",
                PATIENCE,
                () -> cluster.reader().readCommitted(table.topic()).size() >= count,
                () -> cluster.reader().readCommitted(table.topic()).size() + " are there");
    }
}
