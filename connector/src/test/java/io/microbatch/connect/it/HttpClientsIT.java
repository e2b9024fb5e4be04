package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.InstalledProgram;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.pages.CommandRegistry;
import io.microbatch.testbed.pages.PageCommand;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example clients and a worker that is killed while they post, with the commands of docs/http.md. */
@Tag("long")
@ExtendWith(Cluster.Shared.class)
class HttpClientsIT {

    private static final Path EXAMPLES = Path.of(System.getProperty("config.examples"));
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int EVENTS = 300;
    private static final int BEFORE_THE_KILL = 50;
    private static final String ADDRESS = "127.0.0.1:8090/events/orders 60 ";

    /** The commands of the quick start, then one for each client. */
    private final List<String> commands = new CommandRegistry(Path.of(".."))
            .commands("docs/http.md", HttpClientsIT.class).stream()
                    .map(PageCommand::text)
                    .toList();

    private final Cluster cluster;

    HttpClientsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** The page kills a container. Here that command is only noted, and the test kills the worker. */
    @Test
    void theQuickStartWritesEachEventOnceThoughItsWorkerIsKilled() throws IOException, InterruptedException {
        List<String> quickStart = commands.subList(0, commands.size() - 2);
        String client = commands.get(quickStart.size());
        assertThat(quickStart).anyMatch(each -> each.startsWith(client));
        HttpIngest ingest = HttpIngest.of(cluster, "http-clients-quick-start");
        Path directory = directory(ingest);
        Path docker = Files.createDirectories(directory.resolve("programs")).resolve("docker");
        Files.writeString(docker, "#!/bin/sh\necho \"$@\" > noted\n");
        assertThat(docker.toFile().setExecutable(true)).isTrue();

        String printed =
                runWithAKill(ingest, directory, String.join("\n", quickStart).replace("seq 1000", "seq " + EVENTS));
        assertThat(directory.resolve("noted")).hasContent("compose kill connect-1");
        List<String> events = Files.readAllLines(directory.resolve("events"));
        assertThat(events).hasSize(EVENTS);
        assertThat(printed).endsWith(EVENTS + " written");
        assertThat(ingest.values())
                .containsExactlyElementsOf(
                        events.stream().map(line -> line.split(" ", 2)[1]).toList());
    }

    @Test
    void thePythonClientWritesEachEventOnceThoughItsWorkerIsKilled() throws IOException, InterruptedException {
        assumeTrue(
                InstalledProgram.exists("python3"),
                "SKIPPED: no python3, so config-examples/http/client.py was not tried");
        String command = commands.get(commands.size() - 1);
        assertThat(command).startsWith("python3 ");
        HttpIngest ingest = HttpIngest.of(cluster, "http-clients-python");
        Path directory = directory(ingest);
        List<String> events =
                IntStream.range(0, EVENTS).mapToObj(i -> "{\"id\":" + i + "}").toList();
        assertThat(Files.write(
                        directory.resolve("events"),
                        events.stream()
                                .map(event -> UUID.randomUUID() + " " + event)
                                .toList()))
                .exists();

        String ignored = runWithAKill(ingest, directory, command + " > outcomes");
        assertThat(Files.readAllLines(directory.resolve("outcomes")))
                .hasSize(EVENTS)
                .allSatisfy(line -> assertThat(line.split(" ", -1)[1]).isEqualTo("written"));
        assertThat(ingest.values()).containsExactlyElementsOf(events);
    }

    /** A working directory with the examples where the commands look for them. */
    private Path directory(HttpIngest ingest) throws IOException {
        Path directory = Files.createDirectories(cluster.directory().resolve(ingest.name()));
        Files.createSymbolicLink(directory.resolve("config-examples"), EXAMPLES.toRealPath());
        return directory;
    }

    /** Kills the worker with the task while these commands write outcomes, and returns what they printed. */
    private String runWithAKill(HttpIngest ingest, Path directory, String script)
            throws IOException, InterruptedException {
        String group = ingest.name() + "-group";
        try (ConnectWorker first = cluster.member(Mode.EXACTLY_ONCE, group, 1);
                ConnectWorker second = cluster.member(Mode.EXACTLY_ONCE, group, 2)) {
            first.rest().create(ingest.name(), ingest.config(1, Map.of()));
            ingest.poster().awaitReady();
            assertThat(script).contains(ADDRESS);
            PageShell shell = PageShell.in(directory);
            Process process = shell.start(script.replace(
                    ADDRESS,
                    "127.0.0.1:" + ingest.port() + "/events/" + ingest.name() + " " + PATIENCE.toSeconds() + " "));
            try {
                awaitOutcomes(directory.resolve("outcomes"));
                List<ConnectWorker> running = Stream.of(first, second)
                        .filter(worker -> runs(worker, ingest.name()))
                        .toList();
                assertThat(running).as("workers with the task").hasSize(1);
                running.get(0).kill();
                assertThat(process.waitFor(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("%s ends", script)
                        .isTrue();
            } finally {
                PageShell.kill(process);
            }
            assertThat(process.exitValue()).as(script + shell.output()).isZero();
            return shell.output().strip();
        }
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
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
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
