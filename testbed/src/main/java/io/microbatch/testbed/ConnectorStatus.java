package io.microbatch.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The status of a connector as the worker reports it.
 *
 * @param state {@code RUNNING}, {@code PAUSED}, {@code STOPPED}, {@code FAILED}, or {@code ABSENT} when the worker has
 *     no status yet
 * @param trace the stack trace of a failed connector, empty otherwise
 * @param tasks in the order of their ids
 */
public record ConnectorStatus(String state, String trace, List<Task> tasks) {

    static final ConnectorStatus ABSENT = new ConnectorStatus("ABSENT", "", List.of());

    /**
     * One task.
     *
     * @param trace the stack trace of a failed task, empty otherwise
     */
    public record Task(int id, String state, String trace) {}

    static ConnectorStatus of(JsonNode json) {
        List<Task> tasks = new ArrayList<>();
        for (JsonNode task : json.path("tasks")) {
            tasks.add(new Task(
                    task.path("id").asInt(),
                    task.path("state").asText(),
                    task.path("trace").asText("")));
        }
        JsonNode connector = json.path("connector");
        return new ConnectorStatus(
                connector.path("state").asText(), connector.path("trace").asText(""), List.copyOf(tasks));
    }

    /** Whether the connector has exactly this number of tasks, and all of them run. */
    public boolean isRunningWith(int taskCount) {
        return state.equals("RUNNING")
                && tasks.size() == taskCount
                && tasks.stream().allMatch(task -> task.state().equals("RUNNING"));
    }

    /** Whether the connector or one of its tasks has failed. */
    public boolean hasFailed() {
        return !failure().isEmpty();
    }

    /** The stack trace of the connector, or of the first failed task. Empty when nothing failed. */
    public String failure() {
        if (state.equals("FAILED")) {
            return "connector: " + trace;
        }
        return tasks.stream()
                .filter(task -> task.state().equals("FAILED"))
                .map(task -> "task " + task.id() + ": " + task.trace())
                .findFirst()
                .orElse("");
    }
}
