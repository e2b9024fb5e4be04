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
 * Debezium's PostgreSQL connector runs plain, is then hosted under its name, and runs plain again, as the README
 * describes. The test writes rows before, during and after each move and stops the connectors without waiting for these
 * rows.
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

    /** Every change in the order of the database, in the form of {@link #change}. */
    private final List<String> expected = new ArrayList<>();

    private long lastId;
    private int updates;

    PostgresTakeOverIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEveryChangeOnceInOrderWithoutASecondSnapshot(Mode mode) throws Exception {
        String name = "takeover_" + mode.suffix().replace('-', '_');
        ConnectWorker worker = cluster.worker(mode);
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            insert(table, SNAPSHOT_ROWS, "snapshot r");
            worker.rest().create(name, table.plain());
            worker.awaitRunning(name, 1);
            awaitLast(table);
            assertThat(eventsHosted(worker, name)).as("plain Debezium").isEqualTo(-1);
            // A new slot would have another name, or would begin after rows that are written during the move.
            Set<String> slots = table.slots();

            move(worker, name, table, table.hosted(cluster));
            awaitLast(table);
            assertThat(eventsHosted(worker, name))
                    .as("hosted, with the rows that were written since the stop")
                    .isGreaterThanOrEqualTo(2 * CHANGES);

            move(worker, name, table, table.plain());
            awaitLast(table);
            assertThat(eventsHosted(worker, name)).as("plain Debezium").isEqualTo(-1);
            // Slots of other tests on this server may vanish meanwhile.
            assertThat(table.slots()).isSubsetOf(slots).contains(name);

            stop(worker.rest(), name);
            List<String> seen = changes(table);
            assertThat(without(expected, seen)).as("lost").isEmpty();
            assertThat(without(seen, expected)).as("unexpected changes").isEmpty();
            assertThat(seen).as("once, in the order of the commits").isEqualTo(expected);
            worker.rest().delete(name);
        }
    }

    /** The three steps of a move while events flow. */
    private void move(ConnectWorker worker, String name, PostgresFixture table, Map<String, String> config) {
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

    /** Inserts rows and updates some old ones repeatedly, so that every connector delivers changes of the same key. */
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

    /** The count of the running task, or -1 if no task of this connector runs. */
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

    /** The change as text: whether it is of a snapshot, the operation, the id and the note. */
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
