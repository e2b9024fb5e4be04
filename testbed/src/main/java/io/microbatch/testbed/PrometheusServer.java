package io.microbatch.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;

/** A Prometheus process of the version that is installed on this machine. Used by one thread at a time. */
public final class PrometheusServer implements Closeable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final ServerProcess process;
    private final RestCall http;

    private PrometheusServer(ServerProcess process, RestCall http) {
        this.process = process;
        this.http = http;
    }

    /** Whether this machine has {@code prometheus} and {@code promtool} on its path. */
    public static boolean isInstalled() {
        return InstalledProgram.exists("prometheus") && InstalledProgram.exists("promtool");
    }

    /**
     * Starts Prometheus. Returns when it responds.
     *
     * @param configuration the configuration file; its rule files are in the same directory
     */
    public static PrometheusServer start(Path configuration, Path workDir) {
        Path directory = JavaCommand.directory(workDir, "prometheus");
        String address = Ports.HOST + ":" + Ports.free();
        List<String> command = List.of(
                InstalledProgram.path("prometheus"),
                "--config.file=" + configuration.toAbsolutePath(),
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=" + address);
        RestCall http = new RestCall(URI.create("http://" + address));
        ServerProcess process = new ServerProcess("prometheus", command, directory);
        process.start(START_LIMIT, () -> isReady(http));
        return new PrometheusServer(process, http);
    }

    /** Runs {@code promtool}. If it reports a fault, throws with its output. */
    public static void promtool(Path workDir, String... arguments) {
        InstalledProgram.run(workDir, "promtool", arguments);
    }

    /**
     * The present values of an expression, one per series. A missing number is {@code NaN}.
     *
     * @throws IllegalArgumentException when Prometheus refuses the expression
     */
    public List<Double> query(String expression) {
        List<Double> values = new ArrayList<>();
        try {
            get("query?query=" + encoded(expression))
                    .path("result")
                    .forEach(series ->
                            values.add(number(series.path("value").path(1).asText())));
        } catch (ConnectRestException e) {
            throw new IllegalArgumentException(expression, e);
        }
        return values;
    }

    /** The values of a label on the series of a selector. {@code __name__} is the metric's name. */
    public Set<String> labelValues(String label, String selector) {
        Set<String> values = new TreeSet<>();
        get("label/" + label + "/values?match%5B%5D=" + encoded(selector)).forEach(value -> values.add(value.asText()));
        return values;
    }

    /** The alerting rules, each with {@code name}, {@code query}, {@code health} and {@code lastError}. */
    public List<JsonNode> rules() {
        List<JsonNode> rules = new ArrayList<>();
        get("rules").path("groups").forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    @Override
    public void close() {
        process.stop(STOP_GRACE);
    }

    private JsonNode get(String path) {
        return http.get("/api/v1/" + path).path("data");
    }

    private static boolean isReady(RestCall http) {
        try {
            JsonNode ignored = http.get("/-/ready");
            return true;
        } catch (ConnectRestException | CompletionException e) {
            return false;
        }
    }

    /** Parses infinity, which Prometheus writes in another form than Java. */
    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
