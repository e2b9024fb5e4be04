package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.ConnectRest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to restart a hosted connector with several tasks while events flow: what restarts and what does not. */
@ExtendWith(Cluster.Shared.class)
class HostedTasksRestartIT {

    private static final int TASKS = 3;

    private final Cluster cluster;

    HostedTasksRestartIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void restartsTheRequestedPartsAndDeliversEachEventOnce(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-restarted");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.write(TASKS, 10);
        rest.create(name, load.config(TASKS));
        cluster.worker(mode).awaitRunning(name, TASKS);
        assertStarts(load, 1, 1, 1, 1);

        // The worker processes one request after the other, so an unwanted start would be visible at the end of the
        // next one.
        load.flow(TASKS, 100);
        rest.restart(name, false, false);
        assertStarts(load, 2, 1, 1, 1);

        load.flow(TASKS, 100);
        rest.restart(name, true, false);
        assertStarts(load, 3, 2, 2, 2);

        load.flow(TASKS, 100);
        rest.restart(name, true, true);
        rest.restart(name, false, true);
        rest.restartTask(name, 2);
        assertStarts(load, 3, 2, 2, 3);

        cluster.worker(mode).awaitRunning(name, TASKS);
        load.command("fail-task-1", "The disk of the upstream is full");
        assertThat(rest.awaitTaskFailed(name)).startsWith("task 1: ").contains("The disk of the upstream is full");
        // The failed task may have left events unread before this, and leaves these unread.
        load.write(TASKS, 50);
        load.awaitAllOf(sequence -> sequence != 1);
        load.write(TASKS, 50);
        rest.restart(name, false, true);
        rest.restart(name, true, true);
        assertStarts(load, 3, 2, 3, 3);
        load.awaitAll();
        rest.awaitState(name, "RUNNING");

        load.command("fail-task-0", "The disk of the upstream is full");
        assertThat(rest.awaitTaskFailed(name)).startsWith("task 0: ");
        load.write(TASKS, 100);
        rest.restartTask(name, 0);
        assertStarts(load, 3, 3, 3, 3);
        load.awaitAll();
        load.write(TASKS, 3);
        load.awaitAll();
        stop(rest, name);
        assertThat(load.check()).isEqualTo(SequenceCheck.CLEAN);
        assertStarts(load, 3, 3, 3, 3);
        rest.delete(name);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void continuesAfterAPauseAndAStop(Mode mode) {
        PartitionedLoad load = new PartitionedLoad(cluster, mode, "tasks-paused");
        String name = load.name();
        ConnectRest rest = cluster.rest(mode);
        load.write(TASKS, 10);
        rest.create(name, load.config(TASKS));
        cluster.worker(mode).awaitRunning(name, TASKS);

        load.flow(TASKS, 100);
        rest.pause(name);
        rest.awaitState(name, "PAUSED");
        load.write(TASKS, 50);
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, TASKS);
        // Connect keeps the tasks and restarts only the connector.
        assertStarts(load, 2, 1, 1, 1);

        load.flow(TASKS, 100);
        stop(rest, name);
        assertThat(rest.status(name).tasks()).isEmpty();
        load.write(TASKS, 50);
        rest.resume(name);
        cluster.worker(mode).awaitRunning(name, TASKS);
        assertStarts(load, 3, 2, 2, 2);

        load.awaitAll();
        stop(rest, name);
        assertThat(load.check()).isEqualTo(SequenceCheck.CLEAN);
        rest.delete(name);
    }

    /** Checks the exact number of starts of the connector and of each task. */
    private static void assertStarts(PartitionedLoad load, long connector, long... tasks) {
        Stream<String> names = Stream.of("connector", "task 0", "task 1", "task 2");
        List<Long> wanted = List.of(connector, tasks[0], tasks[1], tasks[2]);
        List<String> all = names.toList();
        for (int i = 0; i < all.size(); i++) {
            load.awaitStarts(all.get(i), wanted.get(i));
        }
        assertThat(all.stream().map(load::starts)).isEqualTo(wanted);
    }

    private static void stop(ConnectRest rest, String name) {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
    }
}
