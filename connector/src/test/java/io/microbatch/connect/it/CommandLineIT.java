package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.pages.CommandRegistry;
import io.microbatch.testbed.pages.PageCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the pages' commands for the unpacked archive against a worker, as an operator would copy them. */
@ExtendWith(Cluster.Shared.class)
class CommandLineIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String NAME = "command-line";

    /** The connector of the pages. */
    private static final String CONNECTOR = "shop";

    private final CommandRegistry registry = new CommandRegistry(Path.of(".."));
    private final Cluster cluster;

    CommandLineIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void advisesAndMigratesAsThePagesSay(@TempDir Path directory) throws IOException, InterruptedException {
        Path archive = PageShell.unpackedArchive(directory);
        try (ConnectWorker worker = cluster.worker(Mode.AT_LEAST_ONCE, NAME)
                .property("config.storage.topic", NAME + "-config")
                .property("status.storage.topic", NAME + "-status")
                .property("rest.extension.classes", "io.microbatch.connect.console.ConsoleExtension")
                .jvmOption("-Dmicrobatch.calibration.base=" + directory.resolve("calibration"))
                .start()) {
            runFileSource(worker.rest(), Files.writeString(directory.resolve("lines"), "a\nb\nc\nd\n"));

            List<PageCommand> commands = new ArrayList<>();
            commands.addAll(registry.commands("docs/console.md", CommandLineIT.class));
            commands.addAll(registry.commands("docs/hosting.md", CommandLineIT.class));
            commands.addAll(registry.commands("docs/migrate.md", CommandLineIT.class));
            for (PageCommand command : commands) {
                String output = output(command, worker, archive);
                assertThat(output).as(command.toString()).contains(expected(command.text()));
            }
            worker.rest().delete(CONNECTOR);
        }
    }

    private static void runFileSource(ConnectRest rest, Path file) {
        rest.create(
                CONNECTOR,
                Map.of(
                        "connector.class",
                        "org.apache.kafka.connect.file.FileStreamSourceConnector",
                        "tasks.max",
                        "1",
                        "topic",
                        NAME,
                        "file",
                        file.toString()));
        rest.awaitRunning(CONNECTOR, 1);
        Await.until(
                "offsets of " + CONNECTOR,
                PATIENCE,
                () -> rest.offsets(CONNECTOR).at("/offsets/0/offset/position").asLong() == 8,
                () -> rest.offsets(CONNECTOR).toString());
        Await.until("the console knows " + CONNECTOR, PATIENCE, () -> isKnown(rest), () -> "it does not");
    }

    /** The console answers with 503 while the worker is busy with a rebalance. */
    private static boolean isKnown(ConnectRest rest) {
        try {
            return rest.call("GET", "/microbatch/v1/tasks", null).toString().contains('"' + CONNECTOR + '"');
        } catch (ConnectRestException e) {
            if (e.status() != 503) {
                throw e;
            }
            return false;
        }
    }

    private String output(PageCommand command, ConnectWorker worker, Path archive)
            throws IOException, InterruptedException {
        String address = worker.rest().address().toString().replaceAll("/$", "");
        assertThat(command.text()).contains("http://worker:8083");
        return PageShell.in(archive).run(command.text().replace("http://worker:8083", address), PATIENCE);
    }

    /** What the page says that the command does. The connector runs plain before the first one and after the last. */
    private static String expected(String command) {
        if (!command.contains(" migrate ")) {
            return CONNECTOR + " / 0 on ";
        }
        if (command.contains("--execute")) {
            return "Done. " + CONNECTOR;
        }
        return command.contains("--back")
                ? "Nothing to do: it runs plain."
                : "Nothing was changed. Add --execute to do it.";
    }
}
