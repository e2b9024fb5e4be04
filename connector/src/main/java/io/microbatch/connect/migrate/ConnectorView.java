package io.microbatch.connect.migrate;

import io.microbatch.connect.console.ConnectorSettings;
import io.microbatch.connect.console.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A connector as a worker describes it. Immutable; any thread. Its text shows no value of the configuration.
 *
 * @param type {@code source} or {@code sink}
 * @param config the configuration with the name, with references to config providers in place of their values
 * @param state Connect's state of the connector
 * @param trace the stack trace of the connector; empty if it has not failed
 * @param configuredTasks the number of task configurations
 * @param tasks the tasks that have a status
 */
record ConnectorView(
        String type, Map<String, String> config, String state, String trace, int configuredTasks, List<Task> tasks) {

    static final String RUNNING = "RUNNING";
    static final String STOPPED = "STOPPED";
    static final String PAUSED = "PAUSED";
    static final String FAILED = "FAILED";

    /**
     * A task of it.
     *
     * @param id its number
     * @param state Connect's state of the task
     * @param trace the stack trace; empty if it has not failed
     */
    record Task(String id, String state, String trace) {}

    /** From the answers to {@code GET /connectors/<name>} and {@code /status}. */
    static ConnectorView of(Map<String, Object> described, Map<String, Object> status) {
        Map<String, String> config = new TreeMap<>();
        Json.object(described.get("config")).forEach((key, value) -> {
            if (value != null) {
                config.put(key, value.toString());
            }
        });
        Map<String, Object> connector = Json.object(status.get("connector"));
        List<Task> tasks = new ArrayList<>();
        for (Map<String, Object> task : Json.objects(status, "tasks")) {
            tasks.add(new Task(text(task, "id"), text(task, "state"), text(task, "trace")));
        }
        return new ConnectorView(
                text(status, "type"),
                config,
                text(connector, "state"),
                text(connector, "trace"),
                Json.objects(described, "tasks").size(),
                List.copyOf(tasks));
    }

    private static String text(Map<String, Object> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }

    ConnectorSettings settings() {
        return new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT);
    }

    boolean isRunning() {
        // Tasks that are not configured any more belong to a stop that the worker has not begun to carry out.
        return state.equals(RUNNING)
                && tasks.size() >= configuredTasks
                && (configuredTasks > 0 || tasks.isEmpty())
                && tasks.stream().allMatch(task -> task.state().equals(RUNNING));
    }

    /** Whether it is stopped, and its tasks have ended. */
    boolean isStopped() {
        return state.equals(STOPPED) && tasks.isEmpty() && configuredTasks == 0;
    }

    /** Whether its state lasts until somebody changes it. */
    boolean isSettled() {
        return isRunning() || isStopped() || state.equals(PAUSED) || failure().isPresent();
    }

    /** What has failed, with the first line of its stack trace. Empty if nothing has. */
    Optional<String> failure() {
        if (state.equals(FAILED)) {
            return Optional.of("The connector has failed: " + firstLine(trace));
        }
        return tasks.stream()
                .filter(task -> task.state().equals(FAILED))
                .findFirst()
                .map(task -> "Task " + task.id() + " has failed: " + firstLine(task.trace()));
    }

    /** The connector's state and those of its tasks. */
    String states() {
        return state
                + (tasks.isEmpty()
                        ? " without tasks"
                        : ", tasks "
                                + String.join(
                                        ", ", tasks.stream().map(Task::state).toList()));
    }

    private static String firstLine(String trace) {
        return trace.lines().findFirst().orElse("the worker does not say why");
    }

    @Override
    public String toString() {
        return "ConnectorView[" + states() + "]";
    }
}
