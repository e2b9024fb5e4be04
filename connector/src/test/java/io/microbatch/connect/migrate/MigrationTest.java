package io.microbatch.connect.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.microbatch.connect.console.ConnectorSettings;
import io.microbatch.connect.console.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way back of a worker that puts no configuration. {@code MigrateFaultsIT} has a real worker. */
class MigrationTest {

    private static final String CONNECTOR = "/connectors/shop";
    private static final Map<String, String> CONFIG =
            Map.of("name", "shop", "connector.class", "com.example.QueueConnector");

    private final List<String> changes = new CopyOnWriteArrayList<>();
    private volatile String state = "RUNNING";
    private volatile int refusal;
    private HttpServer worker;

    @BeforeEach
    void start() throws IOException {
        worker = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 16);
        worker.createContext("/", this::handle);
        worker.start();
    }

    @AfterEach
    void stop() {
        worker.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int status = 200;
        Object answer = Map.of();
        if (exchange.getRequestMethod().equals("PUT") && path.startsWith(CONNECTOR)) {
            changes.add(path.substring(CONNECTOR.length()));
            switch (path.substring(CONNECTOR.length())) {
                case "/stop" -> state = "STOPPED";
                case "/resume" -> state = "RUNNING";
                default -> status = refusal;
            }
            answer = Map.of("message", "answered by a test");
        } else {
            answer = described(path);
        }
        byte[] body = Json.write(answer);
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Object described(String path) {
        boolean runs = state.equals("RUNNING");
        return switch (path) {
            case "/" -> Map.of("version", "4.3.1");
            case "/connector-plugins" -> List.of(Map.of("class", ConnectorSettings.MICROBATCH_CLASS));
            case CONNECTOR ->
                Map.of("config", CONFIG, "tasks", runs ? List.of(Map.of("connector", "shop", "task", 0)) : List.of());
            case CONNECTOR + "/status" ->
                Map.of(
                        "type",
                        "source",
                        "connector",
                        Map.of("state", state),
                        "tasks",
                        runs ? List.of(Map.of("id", 0, "state", state)) : List.of());
            case CONNECTOR + "/offsets" ->
                Map.of("offsets", List.of(Map.of("partition", Map.of("queue", "a"), "offset", Map.of("at", 7))));
            default -> path.endsWith("/validate") ? Map.of("configs", List.of()) : List.of();
        };
    }

    /** Only a worker that fails may put the configuration later. The former one may be as invalid as the new one. */
    @ParameterizedTest
    @CsvSource({
        "400, /stop /config /resume, RUNNING",
        "422, /stop /config /resume, RUNNING",
        "500, /stop /config /stop /config, STOPPED"
    })
    void putsTheFormerConfigurationOnlyWhereTheNewOneMayStand(
            int status, String requests, String stands, @TempDir Path directory) throws InterruptedException {
        refusal = status;
        List<String> arguments = List.of(
                "--rest",
                "http://127.0.0.1:" + worker.getAddress().getPort(),
                "--connector",
                "shop",
                "--save",
                directory.toString(),
                "--watch",
                "1",
                "--execute");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int exitCode;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            exitCode = Migrate.run(arguments, null, out);
        }
        String output = bytes.toString(StandardCharsets.UTF_8);
        assertThat(exitCode).as(output).isEqualTo(1);
        assertThat(String.join(" ", changes)).as(output).isEqualTo(requests);
        assertThat(state).isEqualTo(stands);
        assertThat(output)
                .contains("FAILED at the step 'put the configuration'", "status " + status)
                .contains(stands.equals("RUNNING") ? "Undone: shop has its former" : "could not be undone");
    }
}
