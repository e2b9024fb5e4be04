package io.microbatch.connect.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the example clients of the HTTP upstream against a server that answers as a script says. */
class HttpClientsTest {

    private static final Path EXAMPLES = Path.of("..", "config-examples", "http");
    private static final int MAX_LINES = 80;
    private static final int PATIENCE_S = 60;
    private static final long CLIENT_LIMIT_S = 120;

    private static final Reply WRITTEN = new Reply(200, null, "{\"offsets\":[{\"partition\":2,\"offset\":17}]}");
    private static final Reply MALFORMED = error(400, 400);
    private static final Reply FULL = error(503, 50301).after(0);
    private static final Reply SAME_KEY_ON_ITS_WAY = error(409, 40901).after(0);
    private static final Reply OVER_LIMIT = error(429, 42901).after(0);
    private static final Reply TASK_FAILED = error(500, 50001).after(0);
    private static final Reply DEADLINE_OVER = error(504, 50401).after(0);
    private static final Reply FROM_A_PROXY = new Reply(503, 0, "upstream connect error or\ndisconnect");
    private static final Reply NONE = new Reply(0, null, "");

    /** What the server answers to the requests with a key, in this order, and what the client prints. */
    private static final Map<String, Case> CASES = cases();

    @TempDir
    private Path directory;

    private final Map<String, List<Seen>> seen = new ConcurrentHashMap<>();
    private HttpServer server;

    /** The example clients, each with the command that runs it. */
    enum Client {
        JAVA(
                "Client.java",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()),
        PYTHON("client.py", "python3");

        private final Path file;
        private final String program;

        Client(String file, String program) {
            this.file = EXAMPLES.resolve(file);
            this.program = program;
        }
    }

    /**
     * What the server answers.
     *
     * @param status 0 closes the connection without an answer
     */
    private record Reply(int status, Integer retryAfterS, String body) {

        private Reply after(int seconds) {
            return new Reply(status, seconds, body);
        }
    }

    private record Case(String outcome, List<Reply> replies) {}

    private record Seen(String body, String timeoutMs, String contentType, String authorization) {}

    private static Reply error(int status, int code) {
        return new Reply(status, null, "{\"error_code\":" + code + ",\"message\":\"scripted\"}");
    }

    private static Map<String, Case> cases() {
        Map<String, Case> cases = new LinkedHashMap<>();
        cases.put("written", new Case("written", List.of(WRITTEN)));
        cases.put("refused-once", new Case("written", List.of(FULL, WRITTEN)));
        cases.put("limited-once", new Case("written", List.of(OVER_LIMIT, WRITTEN)));
        cases.put("on-its-way", new Case("written", List.of(SAME_KEY_ON_ITS_WAY, WRITTEN)));
        cases.put("late-once", new Case("written", List.of(DEADLINE_OVER, WRITTEN)));
        cases.put("failed-once", new Case("written", List.of(TASK_FAILED, WRITTEN)));
        cases.put("lost-once", new Case("written", List.of(NONE, WRITTEN)));
        cases.put("without-retry-after", new Case("written", List.of(error(503, 50303), WRITTEN)));
        cases.put("malformed", new Case("not-written", List.of(MALFORMED)));
        cases.put("refused-and-malformed", new Case("not-written", List.of(FULL, OVER_LIMIT, MALFORMED)));
        cases.put("late-and-malformed", new Case("unknown", List.of(DEADLINE_OVER, MALFORMED)));
        cases.put("failed-and-malformed", new Case("unknown", List.of(TASK_FAILED, MALFORMED)));
        cases.put("lost-and-malformed", new Case("unknown", List.of(NONE, MALFORMED)));
        cases.put("on-its-way-and-malformed", new Case("unknown", List.of(SAME_KEY_ON_ITS_WAY, MALFORMED)));
        cases.put("of-a-proxy-and-malformed", new Case("unknown", List.of(FROM_A_PROXY, MALFORMED)));
        cases.put("refused-for-long", new Case("not-written", List.of(FULL.after(2 * PATIENCE_S))));
        cases.put("late-for-long", new Case("unknown", List.of(DEADLINE_OVER.after(2 * PATIENCE_S))));
        cases.put("late-and-refused-for-long", new Case("unknown", List.of(NONE, FULL.after(2 * PATIENCE_S))));
        return cases;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/events/orders", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        List<Seen> requests = seen.computeIfAbsent(key, ignored -> new CopyOnWriteArrayList<>());
        requests.add(new Seen(
                body,
                exchange.getRequestHeaders().getFirst("X-Request-Timeout-Ms"),
                exchange.getRequestHeaders().getFirst("Content-Type"),
                exchange.getRequestHeaders().getFirst("Authorization")));
        List<Reply> replies = CASES.get(key).replies();
        Reply reply = replies.get(Math.min(requests.size(), replies.size()) - 1);
        if (reply.status() != 0) {
            if (reply.retryAfterS() != null) {
                exchange.getResponseHeaders().set("Retry-After", Integer.toString(reply.retryAfterS()));
            }
            byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    @ParameterizedTest
    @EnumSource
    void tellsWrittenFromNotWrittenAndFromUnknown(Client client) throws IOException, InterruptedException {
        List<String> keys = List.copyOf(CASES.keySet());
        List<String> printed = run(client, server.getAddress().getPort(), keys, PATIENCE_S);

        assertThat(printed).hasSameSizeAs(keys);
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            Case expected = CASES.get(key);
            assertThat(printed.get(i)).startsWith(key + " " + expected.outcome() + " ");
            Seen request = new Seen(event(key), "5000", "application/json", "Bearer of the test");
            assertThat(seen.get(key)).as(key).hasSameSizeAs(expected.replies()).containsOnly(request);
        }
        assertThat(printed.get(0)).endsWith(WRITTEN.body());
    }

    @ParameterizedTest
    @EnumSource
    void knowsThatNothingIsWrittenWithoutAConnection(Client client) throws IOException, InterruptedException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThat(run(client, closed, List.of("any"), 0)).containsExactly("any not-written no connection");
    }

    @ParameterizedTest
    @EnumSource
    void isShort(Client client) throws IOException {
        assertThat(Files.readAllLines(client.file))
                .hasSizeLessThanOrEqualTo(MAX_LINES)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    private List<String> run(Client client, int port, List<String> keys, int patienceS)
            throws IOException, InterruptedException {
        assumeTrue(
                client == Client.JAVA || InstalledProgram.exists(client.program),
                "SKIPPED: no " + client.program + ", so " + client.file + " was not tested");
        List<String> lines = new ArrayList<>();
        keys.forEach(key -> lines.add(key + " " + event(key)));
        Path in = Files.write(directory.resolve("events"), lines);
        Path out = directory.resolve("out");
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(
                client.program,
                client.file.toString(),
                "http://127.0.0.1:" + port + "/events/orders",
                Integer.toString(patienceS));
        builder.environment().put("TOKEN", "of the test");
        Process process = builder.redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            assertThat(process.waitFor(CLIENT_LIMIT_S, TimeUnit.SECONDS))
                    .as("ended")
                    .isTrue();
        } finally {
            Process ignored = process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        return Files.readAllLines(out);
    }

    private static String event(String key) {
        return "{\"of\":\"" + key + "\", \"text\":\"two words, ü\"}";
    }
}
