package io.microbatch.connect.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.InstalledProgram;
import io.microbatch.testbed.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The example configurations of proxies, run by the proxies in front of two scripted tasks. The two workers are two
 * loopback addresses. A proxy that is not installed is skipped.
 */
class HttpProxiesTest {

    private static final Path EXAMPLES = Path.of("..", "config-examples", "http");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String WORKER_1 = "127.0.0.1";
    private static final String WORKER_2 = "127.0.0.2";
    private static final List<String> KEYS = IntStream.range(0, 40)
            .mapToObj(i -> UUID.nameUUIDFromBytes(Integer.toString(i).getBytes(StandardCharsets.UTF_8))
                    .toString())
            .toList();

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final List<ScriptedTask> tasks = List.of(new ScriptedTask(0), new ScriptedTask(1));
    private InstalledProgram running;
    private URI uri;

    /** The proxies, each with its example and the arguments that check it and run it. */
    enum Proxy {
        HAPROXY("haproxy.cfg", List.of("-c", "-f"), List.of("-db", "-f")),
        NGINX("nginx.conf", List.of("-t", "-c"), List.of("-c")),
        ENVOY("envoy.yaml", List.of("--mode", "validate", "-c"), List.of("-c"));

        private final String example;
        private final List<String> check;
        private final List<String> run;

        Proxy(String example, List<String> check, List<String> run) {
            this.example = example;
            this.check = check;
            this.run = run;
        }

        private String program() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static String[] with(List<String> arguments, Path file) {
            return IntStream.rangeClosed(0, arguments.size())
                    .mapToObj(i -> i < arguments.size() ? arguments.get(i) : file.toString())
                    .toArray(String[]::new);
        }
    }

    private void start(Proxy proxy) throws IOException {
        assumeTrue(
                InstalledProgram.exists(proxy.program()),
                "SKIPPED: no " + proxy.program() + ", so config-examples/http/" + proxy.example + " was not tested");
        tasks.get(0).start(WORKER_1, Ports.free());
        tasks.get(1).start(WORKER_2, Ports.free());
        int port = Ports.free();
        uri = URI.create("http://" + WORKER_1 + ":" + port + "/events/orders");
        Path file = Files.writeString(directory.resolve(proxy.example), configuration(proxy, port));
        InstalledProgram.run(directory, proxy.program(), Proxy.with(proxy.check, file));
        running = InstalledProgram.start(
                directory, () -> status(KEYS.get(0)) == 200, proxy.program(), Proxy.with(proxy.run, file));
    }

    /** The example with the addresses of this test, in the foreground, and with its files in this test's directory. */
    private String configuration(Proxy proxy, int port) throws IOException {
        String text = Files.readString(EXAMPLES.resolve(proxy.example));
        assertThat(text).contains("8080", "8090", "8091", "worker-1", "worker-2");
        for (ScriptedTask task : tasks) {
            String number = Integer.toString(8090 + task.number());
            text = text.replaceAll("worker-1(:|, port_value: )" + number, WORKER_1 + "$1" + task.port())
                    .replaceAll("worker-2(:|, port_value: )" + number, WORKER_2 + "$1" + task.port());
        }
        text = text.replaceAll("127\\.0\\.0\\.1(:|, port_value: )8080", "127.0.0.1$1" + port);
        if (proxy == Proxy.NGINX) {
            StringBuilder paths = new StringBuilder("http {\n    access_log off;\n");
            for (String use : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
                paths.append("    ")
                        .append(use)
                        .append("_temp_path ")
                        .append(directory.resolve(use))
                        .append(";\n");
            }
            text = "daemon off;\nerror_log stderr;\npid " + directory.resolve("pid") + ";\n"
                    + text.replace("http {\n", paths);
        }
        return text;
    }

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
        tasks.forEach(ScriptedTask::close);
    }

    @ParameterizedTest
    @EnumSource
    void aKeyGoesToItsTaskOnly(Proxy proxy) throws IOException, InterruptedException {
        start(proxy);
        Map<String, String> taskOfKey = new TreeMap<>();
        awaitAnswers(KEYS);
        for (String key : KEYS) {
            taskOfKey.put(
                    key, send(key).headers().firstValue(ScriptedTask.NUMBER).orElseThrow());
        }
        assertThat(new TreeSet<>(taskOfKey.values())).containsExactly("0", "1");
        List<String> moved =
                KEYS.stream().filter(key -> taskOfKey.get(key).equals("0")).toList();

        // The task moves from one worker to the other.
        int port = tasks.get(0).port();
        tasks.get(0).close();
        for (String key : moved) {
            assertThat(send(key).statusCode()).isGreaterThanOrEqualTo(500);
        }
        tasks.get(0).start(WORKER_2, port);
        awaitAnswers(KEYS);

        for (String key : KEYS) {
            int other = taskOfKey.get(key).equals("0") ? 1 : 0;
            assertThat(tasks.get(other).seen(key)).as(key).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsWithoutAKeyGoToEveryTask(Proxy proxy) throws IOException {
        start(proxy);
        awaitAnswers(KEYS);
        Await.until(
                "a request at each task",
                PATIENCE,
                () -> status(null) == 200 && tasks.stream().allMatch(task -> task.seen(ScriptedTask.NO_KEY) > 0),
                () -> tasks.get(0).seen(ScriptedTask.NO_KEY) + " and "
                        + tasks.get(1).seen(ScriptedTask.NO_KEY));
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatMayBeWrittenIsNotSentAgain(Proxy proxy) throws IOException, InterruptedException {
        start(proxy);
        awaitAnswers(KEYS);
        long seen = 0;
        for (String suffix : KEYS.subList(0, 8)) {
            String key = ScriptedTask.LOST + suffix;
            assertUnknown(key);
            long times = tasks.get(0).seen(key) + tasks.get(1).seen(key);
            assertThat(times).as(key).isLessThanOrEqualTo(1);
            seen += times;
        }
        assertThat(seen).isPositive();
    }

    /** The client must not take the answer for one of a task that has not written. There may be no answer. */
    private void assertUnknown(String key) throws InterruptedException {
        try {
            HttpResponse<String> answer = send(key);
            assertThat(answer.statusCode()).isGreaterThanOrEqualTo(500);
            assertThat(answer.body()).doesNotContain("error_code");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("no bytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalOfATaskPassesUnchanged(Proxy proxy) throws IOException, InterruptedException {
        start(proxy);
        awaitAnswers(KEYS);
        for (String suffix : KEYS.subList(0, 8)) {
            HttpResponse<String> answer = send(ScriptedTask.FULL + suffix);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo(ScriptedTask.FULL_BODY);
            assertThat(answer.headers().firstValue("Retry-After")).contains(ScriptedTask.RETRY_AFTER_S);
        }
    }

    private void awaitAnswers(List<String> keys) {
        Await.until(
                "a 200 for every key",
                PATIENCE,
                () -> keys.stream().allMatch(key -> status(key) == 200),
                () -> "an error");
    }

    private int status(String key) {
        try {
            return send(key).statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Sends an event, without a key if it is null. */
    private HttpResponse<String> send(String key) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(PATIENCE).POST(HttpRequest.BodyPublishers.ofString("{}"));
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
