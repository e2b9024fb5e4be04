package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.InstalledProgram;
import io.microbatch.testbed.JmxReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example clients and a worker that is killed while they post: the quick start of docs/http.md. */
@ExtendWith(Cluster.Shared.class)
class HttpClientsIT {

    private static final Path EXAMPLES = Path.of("..", "config-examples", "http");
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int EVENTS = 300;
    private static final int BEFORE_THE_KILL = 50;

    private final Cluster cluster;

    HttpClientsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @CsvSource({"EXACTLY_ONCE, Client.java", "EXACTLY_ONCE, client.py", "AT_LEAST_ONCE, Client.java"})
    void everyEventIsWrittenThoughItsWorkerIsKilled(Mode mode, String client) throws IOException, InterruptedException {
        String program = client.endsWith(".py")
                ? "python3"
                : Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assumeTrue(
                !program.equals("python3") || InstalledProgram.exists(program),
                "SKIPPED: no python3, so config-examples/http/client.py was not tried");
        HttpIngest ingest = HttpIngest.of(cluster, "http-clients-" + client.replace('.', '-') + "-" + mode.suffix());
        String group = ingest.name() + "-group";
        try (ConnectWorker first = cluster.member(mode, group, 1);
                ConnectWorker second = cluster.member(mode, group, 2)) {
            first.rest().create(ingest.name(), ingest.config(1, Map.of()));
            ingest.poster().awaitReady();
            List<String> events = IntStream.range(0, EVENTS)
                    .mapToObj(i -> "{\"id\":" + i + "}")
                    .toList();
            Path outcomes = cluster.directory().resolve(ingest.name() + "-outcomes");
            Process process = start(program, EXAMPLES.resolve(client), ingest, events, outcomes);
            try {
                awaitOutcomes(outcomes);
                List.of(first, second).stream()
                        .filter(worker -> runs(worker, ingest.name()))
                        .forEach(ConnectWorker::kill);
                assertThat(process.waitFor(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("%s ends", client)
                        .isTrue();
            } finally {
                Process ignored = process.destroyForcibly();
            }
            assertThat(Files.readAllLines(outcomes))
                    .hasSize(EVENTS)
                    .allSatisfy(line -> assertThat(line.split(" ", -1)[1]).isEqualTo("written"));
            if (mode == Mode.EXACTLY_ONCE) {
                assertThat(ingest.values()).containsExactlyElementsOf(events);
            } else {
                assertThat(ingest.values()).containsAll(events);
            }
        }
    }

    private Process start(String program, Path client, HttpIngest ingest, List<String> events, Path outcomes)
            throws IOException {
        Path input = Files.write(
                cluster.directory().resolve(ingest.name() + "-events"),
                events.stream().map(event -> UUID.randomUUID() + " " + event).toList());
        return new ProcessBuilder(
                        program,
                        client.toString(),
                        "http://127.0.0.1:" + ingest.port() + "/events/" + ingest.name(),
                        Long.toString(PATIENCE.toSeconds()))
                .redirectInput(input.toFile())
                .redirectOutput(outcomes.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitOutcomes(Path outcomes) {
        Await.until(
                BEFORE_THE_KILL + " outcomes",
                PATIENCE,
                () -> lines(outcomes) >= BEFORE_THE_KILL,
                () -> lines(outcomes) + " lines");
    }

    private static int lines(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the task runs in this worker's process. */
    private static boolean runs(ConnectWorker worker, String connector) {
        String task = "kafka.connect:type=connector-task-metrics,connector=" + JmxReader.tag(connector) + ",*";
        return worker.jmx().attributes(task, "status").containsValue("running");
    }
}
