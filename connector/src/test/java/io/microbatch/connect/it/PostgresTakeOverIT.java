package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Debezium's PostgreSQL connector runs by itself, is taken over under its name, and is given back, as the README says;
 * rows are written before, during and after, and nobody waits for them before the connector is stopped.
 */
@ExtendWith(Cluster.Shared.class)
class PostgresTakeOverIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int SNAPSHOT_ROWS = 100;
    private static final int COMMITS = 60;
    private static final int ROWS_PER_COMMIT = 5;
    private static final int CHANGES = COMMITS * (ROWS_PER_COMMIT + 1);

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    /** Every change in the order in which the database made it, as {@link #change} shows it. */
    private final List<String> expected = new ArrayList<>();

    private long lastId;
    private int updates;

    PostgresTakeOverIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyChangeIsThereOnceInOrderAndNoneIsSnapshottedAgain(Mode mode) throws Exception {
        String name = "takeover_" + mode.suffix().replace('-', '_');
        ConnectWorker worker = cluster.worker(mode);
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            insert(table, SNAPSHOT_ROWS, "snapshot r");
            worker.rest().create(name, table.plain());
            worker.awaitRunning(name, 1);
            awaitLast(table);
            assertThat(eventsHosted(worker, name)).as("Debezium by itself").isEqualTo(-1);
            // One that is made anew would have another name, or begin behind the rows that are written while it is
            // away.
            Set<String> slots = table.slots();

            handOver(worker, name, table, table.hosted(cluster));
            awaitLast(table);
            assertThat(eventsHosted(worker, name))
                    .as("through this connector, with all that was written since the stop")
                    .isGreaterThanOrEqualTo(2 * CHANGES);

            handOver(worker, name, table, table.plain());
            awaitLast(table);
            assertThat(eventsHosted(worker, name)).as("Debezium by itself").isEqualTo(-1);
            assertThat(table.slots()).isEqualTo(slots);

            stop(worker.rest(), name);
            List<String> seen = changes(table);
            assertThat(without(expected, seen)).as("lost").isEmpty();
            assertThat(without(seen, expected))
                    .as("nobody's, or snapshotted again")
                    .isEmpty();
            assertThat(seen).as("once, in the order of the commits").isEqualTo(expected);
            worker.rest().delete(name);
        }
    }

    /** The three steps, in the middle of a stream. */
    private void handOver(ConnectWorker worker, String name, PostgresFixture table, Map<String, String> config) {
        write(table, name);
        stop(worker.rest(), name);
        write(table, name);
        worker.rest().put(name, config);
        worker.rest().resume(name);
        worker.awaitRunning(name, 1);
        write(table, name);
    }

    private static void stop(ConnectRest rest, String name) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
    }

    /** New rows, and a few old ones over and over, so that a key has changes of every connector. */
    private void write(PostgresFixture table, String name) {
        for (int commit = 0; commit < COMMITS; commit++) {
            insert(table, ROWS_PER_COMMIT, "c");
            updates++;
            int id = 1 + updates % 10;
            table.execute("UPDATE " + name + " SET note = '" + updates + "' WHERE id = " + id);
            expected.add("u " + id + " " + updates);
        }
    }

    private void insert(PostgresFixture table, int rows, String operation) {
        table.insert(lastId + 1, lastId + rows);
        for (int i = 0; i < rows; i++) {
            lastId++;
            expected.add(operation + " " + lastId + " note");
        }
    }

    /** Of the task that runs, or -1: no task of this connector's does. */
    private static double eventsHosted(ConnectWorker worker, String name) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",*";
        return worker.jmx().number(pattern, "event-total").orElse(-1);
    }

    private void awaitLast(PostgresFixture table) {
        String last = expected.get(expected.size() - 1);
        Await.until(
                "'" + last + "' in " + table.topic(),
                PATIENCE,
                () -> changes(table).contains(last),
                () -> changes(table).size() + " of " + expected.size() + " seen");
    }

    private List<String> changes(PostgresFixture table) {
        return cluster.reader().readCommitted(table.topic()).stream()
                .map(this::change)
                .toList();
    }

    private static List<String> without(List<String> all, List<String> those) {
        List<String> rest = new ArrayList<>(all);
        rest.removeAll(new HashSet<>(those));
        return rest;
    }

    /** Whether it is of a snapshot, the operation, the id and the note. */
    private String change(ConsumerRecord<byte[], byte[]> record) {
        try {
            JsonNode value = json.readTree(record.value());
            String snapshot = value.at("/source/snapshot").asText().equals("false") ? "" : "snapshot ";
            return snapshot + value.get("op").asText() + " " + value.at("/after/id") + " "
                    + value.at("/after/note").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
