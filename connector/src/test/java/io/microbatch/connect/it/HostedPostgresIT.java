package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Debezium's PostgreSQL connector, hosted, with a real database. */
@ExtendWith(Cluster.Shared.class)
class HostedPostgresIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    HostedPostgresIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEveryChangeOnceAcrossAStopAndConfirmsIt(Mode mode) throws Exception {
        String name = "pg_" + mode.suffix().replace('-', '_');
        ConnectRest rest = cluster.rest(mode);
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            String topic = table.topic();
            table.insert(1, 100);
            rest.create(name, table.hosted(cluster));
            cluster.worker(mode).awaitRunning(name, 1);
            awaitRecords(topic, 100);

            table.insert(101, 300);
            table.execute("UPDATE " + name + " SET note = 'changed' WHERE id <= 50");
            // Not after the delete: the database writes into its log by itself, and no event has a later position.
            long written = table.currentLsn();
            table.execute("DELETE FROM " + name + " WHERE id > 290");
            awaitRecords(topic, 100 + 200 + 50 + 2 * 10);
            // Deletes are confirmed when later commits have shown that their offset is durable.
            table.insert(1000, 1000);
            Await.until(
                    "the slot to be confirmed past " + written,
                    PATIENCE,
                    () -> table.confirmedLsn() > written,
                    () -> "slot at " + table.confirmedLsn());

            rest.stop(name);
            rest.awaitState(name, "STOPPED");
            Await.until("the slot to be free", PATIENCE, () -> !table.isSlotActive(), () -> "still active");
            table.insert(2001, 2100);
            rest.resume(name);
            cluster.worker(mode).awaitRunning(name, 1);
            awaitRecords(topic, 370 + 1 + 100);

            assertThat(changes(topic)).isEqualTo(expected());
            rest.delete(name);
        }
    }

    /** The operation and id of every change in the order of the database. A delete is followed by its tombstone. */
    private static List<String> expected() {
        List<String> expected = new ArrayList<>();
        addRange(expected, "r", 1, 100);
        addRange(expected, "c", 101, 300);
        addRange(expected, "u", 1, 50);
        for (int id = 291; id <= 300; id++) {
            expected.add("d " + id);
            expected.add("tombstone " + id);
        }
        addRange(expected, "c", 1000, 1000);
        addRange(expected, "c", 2001, 2100);
        return expected;
    }

    private static void addRange(List<String> expected, String operation, int from, int to) {
        for (int id = from; id <= to; id++) {
            expected.add(operation + " " + id);
        }
    }

    private List<String> changes(String topic) {
        return records(topic).stream().map(this::change).toList();
    }

    private String change(ConsumerRecord<byte[], byte[]> record) {
        try {
            long id = json.readTree(record.key()).get("id").asLong();
            if (record.value() == null) {
                return "tombstone " + id;
            }
            JsonNode value = json.readTree(record.value());
            return value.get("op").asText() + " " + id;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitRecords(String topic, int atLeast) {
        Await.until(
                atLeast + " records in " + topic,
                PATIENCE,
                () -> records(topic).size() >= atLeast,
                () -> records(topic).size() + " seen");
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return cluster.reader().readCommitted(topic);
    }
}
