package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Broker;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.TopicReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;

/**
 * The replication slot of a hosted PostgreSQL connector is free after a stop. A connector waits for a slot that is not
 * free.
 */
@ExtendWith(Cluster.Shared.class)
class SlotIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int ROWS = 3_000;

    private final Cluster cluster;

    SlotIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void isFreeAfterAStopWithFullStripes() throws Exception {
        Mode mode = Mode.EXACTLY_ONCE;
        String name = "slot_full";
        ConnectWorker worker = cluster.worker(mode);
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            worker.rest().create(name, tight(table));
            worker.awaitRunning(name, 1);
            table.insert(1, 10);
            awaitIds(cluster.reader(), table, 10);
            worker.rest().pause(name);
            worker.rest().awaitState(name, "PAUSED");
            table.insert(11, ROWS);
            awaitFull(worker, name);

            worker.rest().stop(name);
            awaitFree(table);
            worker.rest().awaitState(name, "STOPPED");
            assertThat(log(worker, name, "Graceful stop of task")).isEmpty();
            awaitNoReader(worker, name);

            worker.rest().resume(name);
            awaitIds(cluster.reader(), table, ROWS);
            assertThat(table.ids(cluster.reader()))
                    .isEqualTo(LongStream.rangeClosed(1, ROWS).boxed().toList());
            worker.rest().delete(name);
        }
    }

    @Test
    void isFreeAfterAStopWhileTheBrokerIsFrozen() throws Exception {
        Mode mode = Mode.AT_LEAST_ONCE;
        String name = "slot_frozen";
        ConnectWorker worker = cluster.worker(mode);
        // Records go to a separate broker, so that the worker still receives the stop.
        try (Broker records =
                        Broker.start(TestbedHome.locate(), cluster.directory().resolve("frozen"));
                PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            Map<String, String> config = tight(table);
            config.put("producer.override.bootstrap.servers", records.bootstrapServers());
            config.put("producer.override.buffer.memory", "65536");
            config.put("admin.override.bootstrap.servers", records.bootstrapServers());
            worker.rest().create(name, config);
            worker.awaitRunning(name, 1);
            TopicReader reader = new TopicReader(records.bootstrapServers());
            table.insert(1, 10);
            awaitIds(reader, table, 10);
            records.freeze();
            try {
                table.insert(11, ROWS);
                awaitFull(worker, name);
                worker.rest().stop(name);
                // Connect waits for the records that it has sent, cancels the task, and only then stops it. The broker
                // is still frozen.
                awaitFree(table);
                awaitNoReader(worker, name);
            } finally {
                records.thaw();
            }
            worker.rest().awaitState(name, "STOPPED");
            worker.rest().resume(name);
            worker.awaitRunning(name, 1);
            Await.until(
                    "every row",
                    PATIENCE,
                    () -> table.ids(reader).stream().distinct().count() >= ROWS,
                    () -> table.ids(reader).size() + " seen");
            assertThat(table.ids(reader).stream().distinct())
                    .as("the first occurrence of each row, in order")
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, ROWS).boxed().toList());
            worker.rest().delete(name);
        }
    }

    @Test
    void isAwaitedWhileAnotherClientHoldsIt() throws Exception {
        Mode mode = Mode.EXACTLY_ONCE;
        String name = "slot_held";
        ConnectWorker worker = cluster.worker(mode);
        ConnectRest rest = worker.rest();
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            rest.create(name, table.hosted(cluster));
            worker.awaitRunning(name, 1);
            table.insert(1, 10);
            awaitIds(cluster.reader(), table, 10);
            rest.stop(name);
            rest.awaitState(name, "STOPPED");
            awaitFree(table);

            try (Connection holder = replication()) {
                PGReplicationStream held = holder.unwrap(PGConnection.class)
                        .getReplicationAPI()
                        .replicationStream()
                        .logical()
                        .withSlotName(name)
                        .withSlotOption("proto_version", 1)
                        .withSlotOption("publication_names", name)
                        .start();
                rest.resume(name);
                table.insert(11, 20);
                Await.until(
                        "a log line that names the slot",
                        PATIENCE,
                        () -> !log(worker, "\"" + name + "\" is active for PID", "")
                                .isEmpty(),
                        () -> String.join("\n", log(worker, name, "")));
                assertThat(rest.status(name).hasFailed()).isFalse();
                held.close();
            }
            awaitIds(cluster.reader(), table, 20);
            assertThat(table.ids(cluster.reader()))
                    .isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList());
            rest.delete(name);
        }
    }

    private Map<String, String> tight(PostgresFixture table) {
        Map<String, String> config = table.hosted(cluster);
        config.put("stripe.max.events", "16");
        config.put("upstream.connector.max.queue.size", "64");
        config.put("upstream.connector.max.batch.size", "32");
        return config;
    }

    /** A reader that takes longer for its stop than the task waits on a busy machine ends all the same. */
    private void awaitNoReader(ConnectWorker worker, String name) {
        Await.until(
                "no reader to be left",
                PATIENCE,
                () -> log(worker, name, "is abandoned").size()
                        == log(worker, name, "An abandoned reader has closed").size(),
                () -> String.join("\n", log(worker, name, "abandoned")));
    }

    private static void awaitFull(ConnectWorker worker, String name) {
        String debezium =
                "debezium.postgres:type=connector-metrics,context=streaming,server=" + JmxReader.tag(name) + ",*";
        Await.until(
                "Debezium's queue before the stripe to be full",
                PATIENCE,
                () -> worker.jmx().number(debezium, "QueueRemainingCapacity").orElse(-1) == 0,
                () -> worker.jmx()
                        .attributes(debezium, "QueueRemainingCapacity")
                        .toString());
    }

    private static void awaitFree(PostgresFixture table) {
        Await.until("the slot to be free", PATIENCE, () -> !table.isSlotActive(), () -> "still active");
    }

    private Connection replication() throws java.sql.SQLException {
        PostgresServer postgres = cluster.postgres();
        Properties properties = new Properties();
        properties.put("user", postgres.user());
        properties.put("password", postgres.password());
        properties.put("replication", "database");
        properties.put("assumeMinServerVersion", "10");
        properties.put("preferQueryMode", "simple");
        return DriverManager.getConnection(postgres.jdbcUrl(), properties);
    }

    private static List<String> log(ConnectWorker worker, String name, String part) {
        return worker.logLines().stream()
                .filter(line -> line.contains(name) && line.contains(part))
                .toList();
    }

    private static void awaitIds(TopicReader reader, PostgresFixture table, int atLeast) {
        Await.until(
                atLeast + " changes",
                PATIENCE,
                () -> table.ids(reader).size() >= atLeast,
                () -> table.ids(reader).size() + " seen");
    }
}
