package io.microbatch.connect.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.connect.health.ConnectClusterState;
import org.apache.kafka.connect.health.ConnectorHealth;
import org.apache.kafka.connect.health.ConnectorType;
import org.apache.kafka.connect.health.TaskState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the worker knows of the cluster: the source tasks, the workers that run them, and the configurations. Its calls
 * wait for the worker's herder, which may be busy for long, so that they belong on threads of the console. Any thread.
 */
final class ClusterView {

    private static final Logger log = LoggerFactory.getLogger(ClusterView.class);

    /** How long a configuration is used again. Each costs the herder a request. */
    private static final long CONFIG_MS = 30_000;

    private static final int MAX_TASKS = 2_000;

    private final ConnectClusterState state;
    private final WorkerProperties worker;
    private final Map<String, Known> configs = new ConcurrentHashMap<>();

    private record Known(ConnectorSettings settings, long atMs) {}

    /**
     * A source task of the cluster.
     *
     * @param key the task
     * @param state its state in Connect's words
     * @param worker the address of its worker, {@code host:port}
     */
    record Placed(TaskKey key, String state, String worker) {}

    ClusterView(ConnectClusterState state, WorkerProperties worker) {
        this.state = state;
        this.worker = worker;
    }

    /** Every source task of the cluster, in order, 2,000 at most. */
    List<Placed> sourceTasks() {
        List<Placed> tasks = new ArrayList<>();
        List<String> connectors = new ArrayList<>(state.connectors());
        connectors.sort(null);
        configs.keySet().retainAll(connectors);
        for (String connector : connectors) {
            try {
                ConnectorHealth health = state.connectorHealth(connector);
                if (health.type() == ConnectorType.SOURCE) {
                    health.tasksState().entrySet().stream()
                            .sorted(Map.Entry.comparingByKey())
                            .limit(MAX_TASKS - tasks.size())
                            .forEach(task -> tasks.add(new Placed(
                                    new TaskKey(connector, task.getKey()),
                                    task.getValue().state(),
                                    task.getValue().workerId())));
                }
            } catch (RuntimeException e) {
                // It may have been deleted since.
                log.debug("The status of connector {} cannot be read", connector, e);
            }
        }
        return tasks;
    }

    /** Where a task runs: {@code host:port}. Empty if there is no such task. */
    Optional<String> worker(TaskKey key) {
        try {
            TaskState task = state.connectorHealth(key.connector()).tasksState().get(key.task());
            return Optional.ofNullable(task).map(TaskState::workerId);
        } catch (RuntimeException e) {
            log.debug("The status of connector {} cannot be read", key.connector(), e);
            return Optional.empty();
        }
    }

    /** The configuration of a connector. Asks the herder if it was not asked in the last half minute. */
    ConnectorSettings settings(String connector) {
        long nowMs = System.currentTimeMillis();
        Known known = configs.get(connector);
        if (known != null && nowMs - known.atMs() < CONFIG_MS) {
            return known.settings();
        }
        try {
            ConnectorSettings settings =
                    new ConnectorSettings(state.connectorConfig(connector), worker.flushMs(), worker.producer());
            configs.put(connector, new Known(settings, nowMs));
            return settings;
        } catch (RuntimeException e) {
            log.debug("The configuration of connector {} cannot be read", connector, e);
            return ConnectorSettings.UNKNOWN;
        }
    }

    /** The configuration as it was last read. Asks nobody. */
    ConnectorSettings knownSettings(String connector) {
        Known known = configs.get(connector);
        return known == null ? ConnectorSettings.UNKNOWN : known.settings();
    }
}
