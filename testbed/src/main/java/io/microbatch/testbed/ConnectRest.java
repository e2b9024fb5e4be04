package io.microbatch.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The REST interface of a worker. Errors are {@link ConnectRestException}s. A request that the worker refuses only
 * because it is rebalancing is repeated for up to 30 s. Safe on any thread.
 */
public final class ConnectRest {

    /** Tasks whose broker answered 400 ms late were seen to need more than a minute for a stop. */
    private static final Duration STATE_LIMIT = Duration.ofSeconds(180);

    private final RestCall http;

    ConnectRest(RestCall http) {
        this.http = http;
    }

    /** The REST interface of a running worker. */
    public static ConnectRest at(URI base) {
        return new ConnectRest(new RestCall(base));
    }

    /** Where it is, for other clients. */
    public URI address() {
        return http.base();
    }

    /** Creates a connector. Fails if the name is taken. */
    public void create(String name, Map<String, String> config) {
        JsonNode ignored = http.call("POST", "/connectors", Map.of("name", name, "config", config));
    }

    /** Creates a connector or replaces its configuration. */
    public void put(String name, Map<String, String> config) {
        JsonNode ignored = http.call("PUT", path(name, "/config"), config);
    }

    /** Validates a configuration on the worker. It needs neither a name nor a {@code connector.class}. */
    public ConfigValidation validate(String pluginClass, Map<String, String> config) {
        Map<String, String> complete = new java.util.HashMap<>(config);
        complete.putIfAbsent("name", "validated");
        complete.putIfAbsent("connector.class", pluginClass);
        return ConfigValidation.of(
                http.call("PUT", "/connector-plugins/" + encoded(pluginClass) + "/config/validate", complete));
    }

    /** The present status. {@code ABSENT} right after a creation. */
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

    /**
     * Waits until the connector and exactly this number of tasks run. If one fails, throws immediately with its stack
     * trace.
     */
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

    /** Waits until the connector or one of its tasks has failed. Returns the stack trace. */
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

    /** Waits until the connector and all its tasks have a state such as {@code PAUSED} or {@code STOPPED}. */
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

    /** Restarts the failed connector and its failed tasks only. */
    public void restartFailed(String name) {
        restart(name, true, true);
    }

    /**
     * Restarts the connector.
     *
     * @param includeTasks whether to restart its tasks too
     * @param onlyFailed whether to restart failed instances only
     */
    public void restart(String name, boolean includeTasks, boolean onlyFailed) {
        String query = "/restart?includeTasks=" + includeTasks + "&onlyFailed=" + onlyFailed;
        JsonNode ignored = http.call("POST", path(name, query), null);
    }

    /** Restarts one task, without the connector and its other tasks. */
    public void restartTask(String name, int task) {
        JsonNode ignored = http.call("POST", path(name, "/tasks/" + task + "/restart"), null);
    }

    /** Deletes the connector. Its offsets stay. */
    public void delete(String name) {
        JsonNode ignored = http.call("DELETE", path(name, ""), null);
    }

    /** The configuration of each task, in the form of the worker's response: {@code [{"id":…,"config":{…}}]}. */
    public JsonNode taskConfigs(String name) {
        return http.get(path(name, "/tasks"));
    }

    /**
     * The committed source offsets in the form of the worker's response: {@code
     * {"offsets":[{"partition":…,"offset":…}]}}.
     */
    public JsonNode offsets(String name) {
        return http.get(path(name, "/offsets"));
    }

    /** Replaces offsets of a stopped connector. The argument has the form of {@link #offsets}. */
    public void alterOffsets(String name, JsonNode offsets) {
        JsonNode ignored = http.call("PATCH", path(name, "/offsets"), offsets);
    }

    /** Deletes all offsets of a stopped connector. */
    public void resetOffsets(String name) {
        JsonNode ignored = http.call("DELETE", path(name, "/offsets"), null);
    }

    /** The class names of all installed plugins: connectors, transforms, predicates, converters. */
    public List<String> plugins() {
        List<String> classes = new ArrayList<>();
        http.get("/connector-plugins?connectorsOnly=false")
                .forEach(plugin -> classes.add(plugin.path("class").asText()));
        return classes;
    }

    /** The version that a worker reports for a connector. Empty if the connector is not installed. */
    public Optional<String> connectorVersion(String connectorClass) {
        for (JsonNode plugin : http.get("/connector-plugins")) {
            if (plugin.path("class").asText().equals(connectorClass)) {
                return Optional.of(plugin.path("version").asText());
            }
        }
        return Optional.empty();
    }

    /**
     * Sends any other request. Returns the body of the response.
     *
     * @param path the encoded path from the root
     * @param body the object that is sent as JSON, or null
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
