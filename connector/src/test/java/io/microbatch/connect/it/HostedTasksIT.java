package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.JmxReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteDataSource;

/** A hosted connector with several tasks: the state of each task, and changes of their number. */
@ExtendWith(Cluster.Shared.class)
class HostedTasksIT {

    private static final int SEQUENCES = 8;
    private static final int TASKS = 4;

    private final Cluster cluster;

    HostedTasksIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void eachTaskHasItsOwnNumberMetricsAndCalibrationFile(Mode mode) throws IOException, SQLException {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-apart");
        String name = load.name();
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            load.writeTo(sequence, 20 * (sequence + 1));
        }
        Map<String, String> config = load.config(TASKS);
        config.put("pressure.window.ms", "1000");
        cluster.rest(mode).create(name, config);
        cluster.worker(mode).awaitRunning(name, TASKS);
        load.awaitAll();

        for (int task = 0; task < TASKS; task++) {
            int first = 2 * task;
            assertThat(load.journal())
                    .as("the hosted task has the number of its hosting task")
                    .contains("task " + task + " started for " + name + " with sequences [" + first + ", " + (first + 1)
                            + "] on " + name + "-" + task + "-reader-0");
            awaitEvents(mode, name, task, load.end(first) + load.end(first + 1));
        }
        assertThat(cluster.worker(mode).logLines())
                .noneMatch(line -> line.contains("Calibration is kept in memory only")
                        && line.contains(load.calibration().toString()));

        stop(cluster.rest(mode), name);
        assertThat(load.check()).isEqualTo(SequenceCheck.CLEAN);
        try (Stream<java.nio.file.Path> files = Files.list(load.calibration())) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".calibration")))
                    .containsExactlyInAnyOrder(Stream.iterate(0, task -> task + 1)
                            .limit(TASKS)
                            .map(task -> name + "-" + task + ".calibration")
                            .toArray(String[]::new));
        }
        for (int task = 0; task < TASKS; task++) {
            assertThat(keys(load, task)).isEqualTo(name + " " + task);
        }
        cluster.rest(mode).delete(name);
    }

    /**
     * Waits for the count of a task. Metrics count from the start of a task, so they are exact if each task started
     * once.
     */
    private void awaitEvents(Mode mode, String name, int task, long wanted) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",task=" + task + ",*";
        Await.until(
                "task " + task + " to count " + wanted + " events",
                PartitionedLoad.PATIENCE,
                () -> cluster.worker(mode).jmx().number(pattern, "event-total").orElse(-1) == wanted,
                () -> cluster.worker(mode)
                        .jmx()
                        .attributes(pattern, "event-total")
                        .toString());
    }

    /** The keys in the calibration file of a task. */
    private static String keys(PartitionedLoad load, int task) throws SQLException {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + load.calibration().resolve(load.name() + "-" + task + ".calibration"));
        StringBuilder keys = new StringBuilder();
        try (Connection connection = file.getConnection();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("SELECT connector, task FROM calibration_key")) {
            while (rows.next()) {
                keys.append(rows.getString(1)).append(' ').append(rows.getInt(2));
            }
        }
        return keys.toString();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void continuesFromFourTasksToOneAndBackWhileEventsFlow(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-resized");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.write(SEQUENCES, 10);
        rest.create(name, load.config(TASKS));
        cluster.worker(mode).awaitRunning(name, TASKS);
        load.flow(SEQUENCES, 300);

        rest.put(name, load.config(1));
        load.write(SEQUENCES, 200);
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitStarts("task 0", 2);
        assertThat(load.journal())
                .anyMatch(line -> line.startsWith("task 0 started")
                        && line.contains("with sequences [0, 1, 2, 3, 4, 5, 6, 7] on "));
        load.flow(SEQUENCES, 200);

        rest.put(name, load.config(TASKS));
        load.write(SEQUENCES, 200);
        cluster.worker(mode).awaitRunning(name, TASKS);
        for (int task = 0; task < TASKS; task++) {
            load.awaitStarts("task " + task, task == 0 ? 3 : 2);
        }
        load.awaitAll();
        load.write(SEQUENCES, 3);
        load.awaitAll();
        stop(rest, name);

        // Tasks that stop cleanly commit all acknowledged events, in both modes.
        assertThat(load.check()).isEqualTo(SequenceCheck.CLEAN);
        rest.delete(name);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void readsNewAndOldPartitionsWhenTheHostedConnectorAsksForNewTasks(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-requested");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.write(1, 600);
        rest.create(name, load.config(3));
        cluster.worker(mode).awaitRunning(name, 1);
        load.awaitRecords(50);

        load.write(5, 200);
        load.command("reconfigure", "");
        cluster.worker(mode).awaitRunning(name, 3);
        load.awaitAll();
        assertThat(load.starts("connector"))
                .as("the connector itself is not restarted")
                .isEqualTo(1);

        load.write(7, 100);
        load.command("reconfigure", "");
        load.awaitAll();
        stop(rest, name);
        assertThat(load.check()).isEqualTo(SequenceCheck.CLEAN);
        rest.delete(name);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsWithTheHostedConnectorsErrorAndRecoversOnARestart(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-raised");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.write(3, 100);
        rest.create(name, load.config(3));
        cluster.worker(mode).awaitRunning(name, 3);
        load.awaitRecords(10);

        load.command("raise", "The licence of the upstream has ended");
        assertThat(rest.awaitTaskFailed(name))
                .startsWith("connector: ")
                .contains("ConnectException: The licence of the upstream has ended");
        // Connect does not stop the tasks.
        load.write(3, 100);
        load.awaitAll();
        assertThat(rest.status(name).tasks())
                .hasSize(3)
                .allMatch(task -> task.state().equals("RUNNING"));

        // Restarts only the failed connector, without its tasks.
        rest.restart(name, false, true);
        load.awaitStarts("connector", 2);
        rest.awaitState(name, "RUNNING");
        load.write(6, 100);
        load.command("reconfigure", "");
        load.awaitAll();
        stop(rest, name);
        assertThat(load.check()).isEqualTo(SequenceCheck.CLEAN);
        rest.delete(name);
    }

    /** The busy sequence has no end, so that nothing can wait for its end. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void aBusyTaskDoesNotDelayTheEventsOfIdleOnes(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-uneven");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.writeTo(0, Integer.MAX_VALUE);
        load.writeTo(1, 0);
        load.writeTo(2, 0);
        Map<String, String> config = load.config(3);
        config.put("upstream.connector.apart", "0");
        config.put("upstream.connector.batch", "50");
        config.put("stripe.max.events", "256");
        rest.create(name, config);
        cluster.worker(mode).awaitRunning(name, 3);

        for (int round = 0; round < 3; round++) {
            long busyBefore = busyEvents(mode, name);
            load.writeTo(1, 30);
            load.writeTo(2, 30);
            load.awaitAllFrom(1);
            Await.until(
                    "the busy task to deliver more",
                    PartitionedLoad.PATIENCE,
                    () -> busyEvents(mode, name) > busyBefore,
                    () -> "not more than " + busyBefore);
        }
        stop(rest, name);

        assertThat(load.checkFrom(1)).isEqualTo(SequenceCheck.CLEAN);
        AtomicLong position = new AtomicLong();
        cluster.reader().readCommitted(name + "-apart", record -> {
            String text = new String(record.value(), StandardCharsets.UTF_8);
            assertThat(text).isEqualTo(PartitionedLoad.text(0, position.getAndIncrement()));
        });
        List<Long> stored = new ArrayList<>();
        rest.offsets(name).path("offsets").forEach(entry -> {
            if (entry.at("/partition/sequence").asInt() == 0) {
                stored.add(entry.at("/offset/position").asLong());
            }
        });
        assertThat(position).hasPositiveValue();
        assertThat(stored).containsExactly(position.get());
        rest.delete(name);
    }

    private long busyEvents(Mode mode, String name) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",task=0,*";
        return (long) cluster.worker(mode).jmx().number(pattern, "event-total").orElse(-1);
    }

    private static void stop(ConnectRest rest, String name) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
    }
}
