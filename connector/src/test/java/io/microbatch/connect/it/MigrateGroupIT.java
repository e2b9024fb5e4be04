package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.Migrating.Run;
import io.microbatch.connect.it.RestProxy.Effect;
import io.microbatch.connect.it.RestProxy.Fault;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code microbatch migrate} on a group of two workers: the archive's program is ended by a signal in the middle, and a
 * run against the other worker goes on from there. One of the two workers is not the leader, and forwards requests.
 */
@ExtendWith(Cluster.Shared.class)
class MigrateGroupIT {

    private static final String NAME = "migrate-group";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** 128 and the number of SIGTERM, as a shell counts. */
    private static final int TERMINATED = 143;

    private final Cluster cluster;

    MigrateGroupIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void aRunAgainstTheOtherWorkerGoesOnAfterASignal(@TempDir Path directory) throws IOException, InterruptedException {
        Path archive = PageShell.unpackedArchive(directory);
        Path ignored = Files.createDirectories(Migrating.saved(cluster, NAME));
        try (ConnectWorker first = cluster.member(Mode.EXACTLY_ONCE, NAME, 1);
                ConnectWorker second = cluster.member(Mode.EXACTLY_ONCE, NAME, 2)) {
            Path file = Migrating.fileSource(cluster, first.rest(), NAME);
            JsonNode plain = Migrating.config(first.rest(), NAME);

            signalDuring("/config", "--execute", archive, first);
            append(file, "e\n");
            goesOn("--execute", second);
            assertThat(Migrating.config(first.rest(), NAME)
                            .path("connector.class")
                            .asText())
                    .isEqualTo(Cluster.CONNECTOR);

            signalDuring("/stop", "--back --execute", archive, second);
            append(file, "f\n");
            goesOn("--back --execute", first);
            assertThat(Migrating.config(second.rest(), NAME)).isEqualTo(plain);

            Await.until("six lines in " + NAME, PATIENCE, () -> lines().size() >= 6, () -> lines() + " seen");
            assertThat(lines()).as("each line once, in order").containsExactly("a", "b", "c", "d", "e", "f");
            first.rest().delete(NAME);
        }
    }

    /** The program is ended while it waits for the answer to this request. */
    private void signalDuring(String request, String arguments, Path archive, ConnectWorker worker)
            throws IOException, InterruptedException {
        try (RestProxy proxy = new RestProxy(worker.rest().address())) {
            CompletableFuture<Process> program = new CompletableFuture<>();
            proxy.fail(
                    new Fault("", "PUT /connectors/" + NAME + request, Effect.PASS),
                    null,
                    () -> program.thenAccept(Process::destroy).join());
            PageShell shell = PageShell.in(archive);
            Process process = shell.start("exec bin/microbatch migrate --rest " + proxy.address() + " --connector "
                    + NAME + " --save " + Migrating.saved(cluster, NAME) + " " + arguments);
            program.complete(process);
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ends: %s", arguments, shell.output())
                    .isTrue();
            assertThat(process.exitValue()).as(shell.output()).isEqualTo(TERMINATED);
            assertThat(proxy.isPending()).as(shell.output()).isFalse();
        }
    }

    private static void append(Path file, String line) throws IOException {
        Path ignored = Files.writeString(file, line, StandardOpenOption.APPEND);
    }

    private List<String> lines() {
        return cluster.reader().readCommitted(NAME).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private void goesOn(String arguments, ConnectWorker worker) throws IOException {
        Run run = Migrating.of(cluster, worker.rest().address(), NAME).run(arguments.split(" "));
        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output()).contains("Done. " + NAME);
        worker.rest().awaitRunning(NAME, 1);
    }
}
