package io.microbatch.connect.migrate;

import io.microbatch.connect.console.AuthorizationHeader;
import io.microbatch.connect.console.Json;
import io.microbatch.connect.console.LimitedBody;
import io.microbatch.connect.console.RequestFailure;
import io.microbatch.connect.console.RestPath;
import io.microbatch.connect.console.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The requests to a worker's REST interface. An answer with an error is a {@link RestException}; any other
 * {@link IOException} leaves open whether the worker has acted. One thread.
 */
final class ConnectClient {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /** Longer than the 90 s after which a worker gives up itself. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(100);

    /** How long a request is repeated that the worker refuses because it is rebalancing. */
    private static final long REBALANCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long REPEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MAX_BYTES = 64 << 20;
    private static final int CONFLICT = 409;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int MAX_OK = 299;

    private final HttpClient client;
    private final String base;
    private final AuthorizationHeader authorization;

    /**
     * Prepares the requests.
     *
     * @param rest the REST interface of any worker of the cluster
     * @param authorization what shows the worker who asks
     * @throws IOException when the trust store of this JVM cannot be read
     */
    ConnectClient(URI rest, AuthorizationHeader authorization) throws IOException {
        this.base = rest.toString().replaceAll("/+$", "");
        this.authorization = authorization;
        this.client = RequestFailure.clientOf(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_LIMIT));
    }

    /** The worker's release. */
    String version() throws IOException, InterruptedException {
        return Objects.toString(Json.object(call("GET", "/", null)).get("version"), "unknown");
    }

    /** Whether there is such a connector. */
    boolean exists(String name) throws IOException, InterruptedException {
        return unlessMissing(RestPath.ofConnector(name, "")).isPresent();
    }

    /** The names of all connectors. */
    Set<String> names() throws IOException, InterruptedException {
        return new TreeSet<>(texts(call("GET", "/connectors", null)));
    }

    /** A connector with its configuration and its status. */
    ConnectorView view(String name) throws IOException, InterruptedException {
        return ConnectorView.of(
                Json.object(call("GET", RestPath.ofConnector(name, ""), null)),
                Json.object(call("GET", RestPath.ofConnector(name, "/status"), null)));
    }

    /**
     * A connector when it and its tasks are neither starting nor ending: after a run that was killed they may be, and
     * after a new configuration they are. If the limit ends first, as it was last.
     */
    ConnectorView settled(String name, Duration limit) throws IOException, InterruptedException {
        ConnectorView[] last = {view(name)};
        boolean ignored = last[0].isSettled()
                || Patience.awaits(limit, () -> {
                    last[0] = view(name);
                    return last[0].isSettled();
                });
        return last[0];
    }

    /** The committed offsets. Empty if the worker has no such address, which Connect has from 3.5 on. */
    Optional<Offsets> offsets(String name) throws IOException, InterruptedException {
        return unlessMissing(RestPath.ofConnector(name, "/offsets")).map(Offsets::of);
    }

    /** Asks the worker to stop a connector. */
    void stop(String name) throws IOException, InterruptedException {
        Object ignored = call("PUT", RestPath.ofConnector(name, "/stop"), null);
    }

    /** Asks the worker to resume a connector. */
    void resume(String name) throws IOException, InterruptedException {
        Object ignored = call("PUT", RestPath.ofConnector(name, "/resume"), null);
    }

    /** Replaces the configuration of a connector. */
    void configure(String name, Map<String, String> config) throws IOException, InterruptedException {
        Object ignored = call("PUT", RestPath.ofConnector(name, "/config"), config);
    }

    /** The classes of the connectors that are installed on the worker. */
    Set<String> plugins() throws IOException, InterruptedException {
        Set<String> classes = new HashSet<>();
        if (call("GET", "/connector-plugins", null) instanceof List<?> plugins) {
            plugins.forEach(
                    plugin -> classes.add(Objects.toString(Json.object(plugin).get("class"))));
        }
        return classes;
    }

    /** The keys that a connector defines as passwords. Empty if the worker does not know the connector. */
    Optional<Set<String>> passwords(String className) throws IOException, InterruptedException {
        if (className.isBlank()) {
            return Optional.empty();
        }
        return unlessMissing(RestPath.ofPlugin(className, "/config")).map(definition -> {
            Set<String> keys = new HashSet<>();
            if (definition instanceof List<?> all) {
                all.stream()
                        .map(Json::object)
                        .filter(key -> "PASSWORD".equals(key.get("type")))
                        .forEach(key -> keys.add(Objects.toString(key.get("name"))));
            }
            return keys;
        });
    }

    /** What is wrong with a configuration: the errors of each key. The worker does not apply it. */
    Map<String, List<String>> problems(Map<String, String> config) throws IOException, InterruptedException {
        String className = config.getOrDefault("connector.class", "");
        Object answer = call("PUT", RestPath.ofPlugin(className, "/config/validate"), config);
        Map<String, List<String>> problems = new TreeMap<>();
        for (Map<String, Object> entry : Json.objects(answer, "configs")) {
            Map<String, Object> value = Json.object(entry.get("value"));
            List<String> errors = texts(value.get("errors")).stream().distinct().toList();
            if (!errors.isEmpty()) {
                problems.put(Objects.toString(value.get("name")), errors);
            }
        }
        return problems;
    }

    /** The address of a connector, for a text that names a request. */
    String address(String name) {
        return base + RestPath.ofConnector(name, "");
    }

    private static List<String> texts(Object list) {
        return list instanceof List<?> all ? all.stream().map(Objects::toString).toList() : List.of();
    }

    private Optional<Object> unlessMissing(String path) throws IOException, InterruptedException {
        try {
            return Optional.of(call("GET", path, null));
        } catch (RestException e) {
            if (e.status() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Object call(String method, String path, Object body) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + REBALANCE_NANOS;
        while (true) {
            HttpResponse<byte[]> response = WholeAnswer.of(
                    client, request(method, path, body), info -> new LimitedBody(MAX_BYTES), ANSWER_LIMIT);
            int status = response.statusCode();
            if (status <= MAX_OK) {
                return response.body().length == 0 ? Map.of() : Json.read(response.body());
            }
            if (status != CONFLICT || System.nanoTime() - deadline >= 0) {
                String cure = status == UNAUTHORIZED ? " Set " + AuthorizationHeader.VARIABLE + "." : "";
                throw new RestException(method + " " + path, status, message(response.body()) + cure);
            }
            Patience.pause(REPEAT_NANOS);
        }
    }

    private HttpRequest request(String method, String path, Object body) {
        BodyPublisher content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(Json.write(body));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(ANSWER_LIMIT)
                .header("Accept", "application/json")
                .header("Content-Type", "application/json")
                .method(method, content);
        authorization.addTo(request);
        return request.build();
    }

    private static String message(byte[] body) {
        try {
            Object message = Json.object(Json.read(body)).get("message");
            if (message != null) {
                return message.toString();
            }
        } catch (IOException e) {
            // Not every error is Connect's own: a proxy answers with a page. What it says is shown as it is.
        }
        return new String(body, StandardCharsets.UTF_8);
    }
}
