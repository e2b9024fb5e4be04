package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tasks of a hosted connector in a group of workers: one worker joins, is killed, and joins again. */
@Tag("long")
@ExtendWith(Cluster.Shared.class)
class HostedTasksRebalanceIT {

    private static final int SEQUENCES = 8;
    private static final int TASKS = 4;

    private final Cluster cluster;

    HostedTasksRebalanceIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void movesTasksToAJoiningWorkerAndBackWhenItIsKilled(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-moved");
        String name = load.name();
        load.write(SEQUENCES, 10);
        try (ConnectWorker first = cluster.member(mode, name + "-group", 1)) {
            first.rest().create(name, load.config(TASKS));
            awaitTasks(name, first, TASKS);
            load.flow(SEQUENCES, 200);

            try (ConnectWorker second = cluster.member(mode, name + "-group", 2)) {
                load.write(SEQUENCES, 200);
                awaitTasks(name, first, TASKS / 2);
                awaitTasks(name, second, TASKS / 2);
                load.awaitAll();
                assertThat(load.check()).as("moving tasks are stopped cleanly").isEqualTo(SequenceCheck.CLEAN);

                load.flow(SEQUENCES, 400);
                second.kill();
                load.write(SEQUENCES, 100);
                awaitTasks(name, first, TASKS);
                load.flow(SEQUENCES, 200);

                second.restart();
                load.write(SEQUENCES, 100);
                awaitTasks(name, first, TASKS / 2);
                awaitTasks(name, second, TASKS / 2);
                load.awaitAll();
                load.write(SEQUENCES, 3);
                load.awaitAll();
                first.rest().stop(name);
                first.rest().awaitState(name, "STOPPED");
            }
        }
        SequenceCheck check = load.check();
        if (mode == Mode.EXACTLY_ONCE) {
            assertThat(check).isEqualTo(SequenceCheck.CLEAN);
        } else {
            assertThat(check.isAtLeastOnce()).as(check.toString()).isTrue();
        }
    }

    /** Waits until exactly this number of tasks runs in the process of this worker. */
    private static void awaitTasks(String connector, ConnectWorker worker, int count) {
        String tasks = "kafka.connect:type=connector-task-metrics,connector=" + JmxReader.tag(connector) + ",*";
        Await.until(
                count + " tasks of " + connector + " in worker " + worker.pid(),
                PartitionedLoad.PATIENCE,
                () -> Collections.frequency(
                                worker.jmx().attributes(tasks, "status").values(), "running")
                        == count,
                () -> worker.rest().status(connector).toString());
    }
}
