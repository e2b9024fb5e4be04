package io.microbatch.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The worker's REST interface. Errors are {@link ConnectRestException}s; a request that the worker refuses only
 * because it rebalances is repeated for up to 30 s. Safe on any thread.
 */
public final class ConnectRest {

    private static final Duration STATE_LIMIT = Duration.ofSeconds(60);

    private final RestCall http;

    ConnectRest(URI base) {
        this.http = new RestCall(base);
    }

    /** The REST interface of a worker that runs already. */
    public static ConnectRest at(URI base) {
        return new ConnectRest(base);
    }

    /** Creates a connector. It is an error when the name is taken. */
    public void create(String name, Map<String, String> config) {
        JsonNode ignored = http.call("POST", "/connectors", Map.of("name", name, "config", config));
    }

    /** Creates a connector or replaces its configuration. */
    public void put(String name, Map<String, String> config) {
        JsonNode ignored = http.call("PUT", path(name, "/config"), config);
    }

    /** Lets the worker validate a configuration, which needs neither a name nor a {@code connector.class}. */
    public ConfigValidation validate(String pluginClass, Map<String, String> config) {
        Map<String, String> complete = new java.util.HashMap<>(config);
        complete.putIfAbsent("name", "validated");
        complete.putIfAbsent("connector.class", pluginClass);
        return ConfigValidation.of(
                http.call("PUT", "/connector-plugins/" + encoded(pluginClass) + "/config/validate", complete));
    }

    /** What the worker says now. {@code ABSENT} right after a creation. */
    public ConnectorStatus status(String name) {
        try {
            return ConnectorStatus.of(http.get(path(name, "/status")));
        } catch (ConnectRestException e) {
            if (e.status() == 404) {
                return ConnectorStatus.ABSENT;
            }
            throw e;
        }
    }

    /** Waits until the connector and exactly this many tasks run. Fails at once, with the trace, when one fails. */
    public void awaitRunning(String name, int taskCount) {
        ConnectorStatus[] last = {ConnectorStatus.ABSENT};
        String what = name + " is running with " + taskCount + " tasks";
        Await.until(
                what,
                STATE_LIMIT,
                () -> {
                    last[0] = status(name);
                    return last[0].isRunningWith(taskCount) || last[0].hasFailed();
                },
                () -> last[0].toString());
        if (last[0].hasFailed()) {
            throw new IllegalStateException("instead of " + what + ", failed: " + last[0].failure());
        }
    }

    /** Waits until the connector or one of its tasks has failed and answers its stack trace. */
    public String awaitTaskFailed(String name) {
        ConnectorStatus[] last = {ConnectorStatus.ABSENT};
        Await.until(
                name + " has failed",
                STATE_LIMIT,
                () -> {
                    last[0] = status(name);
                    return last[0].hasFailed();
                },
                () -> last[0].toString());
        return last[0].failure();
    }

    /** Waits for a connector state such as {@code PAUSED} or {@code STOPPED}, which all its tasks must share. */
    public void awaitState(String name, String state) {
        ConnectorStatus[] last = {ConnectorStatus.ABSENT};
        Await.until(
                name + " is " + state,
                STATE_LIMIT,
                () -> {
                    last[0] = status(name);
                    return last[0].state().equals(state)
                            && last[0].tasks().stream()
                                    .allMatch(task -> task.state().equals(state));
                },
                () -> last[0].toString());
    }

    /** Pauses the connector. Await {@code PAUSED}. */
    public void pause(String name) {
        JsonNode ignored = http.call("PUT", path(name, "/pause"), null);
    }

    /** Resumes a paused or stopped connector. */
    public void resume(String name) {
        JsonNode ignored = http.call("PUT", path(name, "/resume"), null);
    }

    /** Stops the connector, which removes its tasks. Await {@code STOPPED}. */
    public void stop(String name) {
        JsonNode ignored = http.call("PUT", path(name, "/stop"), null);
    }

    /** Restarts the connector and all its tasks, failed or not. */
    public void restart(String name) {
        restart(name, true, false);
    }

    /** Restarts what has failed and leaves alone what runs. */
    public void restartFailed(String name) {
        restart(name, true, true);
    }

    /**
     * Restarts the connector.
     *
     * @param includeTasks its tasks, too
     * @param onlyFailed only what has failed
     */
    public void restart(String name, boolean includeTasks, boolean onlyFailed) {
        String query = "/restart?includeTasks=" + includeTasks + "&onlyFailed=" + onlyFailed;
        JsonNode ignored = http.call("POST", path(name, query), null);
    }

    /** Restarts one task and leaves alone the connector and its other tasks. */
    public void restartTask(String name, int task) {
        JsonNode ignored = http.call("POST", path(name, "/tasks/" + task + "/restart"), null);
    }

    /** Deletes the connector. Its offsets stay. */
    public void delete(String name) {
        JsonNode ignored = http.call("DELETE", path(name, ""), null);
    }

    /** What each task was given, as the worker answers it: {@code [{"id":…,"config":{…}}]}. */
    public JsonNode taskConfigs(String name) {
        return http.get(path(name, "/tasks"));
    }

    /** The committed source offsets as the worker answers them: {@code {"offsets":[{"partition":…,"offset":…}]}}. */
    public JsonNode offsets(String name) {
        return http.get(path(name, "/offsets"));
    }

    /** Replaces offsets of a stopped connector. Takes what {@link #offsets} answers. */
    public void alterOffsets(String name, JsonNode offsets) {
        JsonNode ignored = http.call("PATCH", path(name, "/offsets"), offsets);
    }

    /** Forgets all offsets of a stopped connector. */
    public void resetOffsets(String name) {
        JsonNode ignored = http.call("DELETE", path(name, "/offsets"), null);
    }

    /** The class names of all plugins that the worker has found: connectors, transforms, predicates, converters. */
    public List<String> plugins() {
        List<String> classes = new ArrayList<>();
        http.get("/connector-plugins?connectorsOnly=false")
                .forEach(plugin -> classes.add(plugin.path("class").asText()));
        return classes;
    }

    /**
     * Any request that has no method of its own here. Answers the body as it is.
     *
     * @param path from the root on, encoded
     * @param body what becomes JSON; null for none
     */
    public JsonNode call(String method, String path, Object body) {
        return http.call(method, path, body);
    }

    /** Whether the worker has joined its group and answers requests. */
    boolean isHealthy() {
        try {
            JsonNode ignored = http.get("/health");
            return true;
        } catch (ConnectRestException | java.util.concurrent.CompletionException e) {
            return false;
        }
    }

    private static String path(String name, String rest) {
        return "/connectors/" + encoded(name) + rest;
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
