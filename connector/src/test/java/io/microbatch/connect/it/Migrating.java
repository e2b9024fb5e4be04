package io.microbatch.connect.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.migrate.Migrate;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@code microbatch migrate} in this process, as an operator would in one of their own. One thread. */
final class Migrating {

    /** The exit code of a run that was interrupted, which ends it as a kill would. */
    static final int KILLED = -1;

    static final String FILE_SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector";

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final URI rest;
    private final String connector;
    private final Path saved;

    /**
     * Prepares runs.
     *
     * @param rest the REST interface that they use
     * @param connector the connector that they move
     * @param saved the directory for their files
     */
    Migrating(URI rest, String connector, Path saved) {
        this.rest = rest;
        this.connector = connector;
        this.saved = saved;
    }

    /** Runs on a connector of a cluster, with a directory of their own. */
    static Migrating of(Cluster cluster, URI rest, String connector) throws IOException {
        return new Migrating(rest, connector, Files.createDirectories(saved(cluster, connector)));
    }

    /** The directory of {@link #of}. */
    static Path saved(Cluster cluster, String connector) {
        return cluster.directory().resolve(connector + "-saved");
    }

    /** The configuration of a connector, as the worker has it. */
    static JsonNode config(ConnectRest rest, String connector) {
        return rest.call("GET", "/connectors/" + connector + "/config", null);
    }

    /** The end of a run. Its text is what an operator sees. */
    record Run(int exitCode, String output) {}

    /** Runs the command with these arguments in addition. */
    Run run(String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("--rest", rest.toString(), "--connector", connector, "--save", saved.toString()));
        arguments.addAll(List.of(more));
        if (!arguments.contains("--watch")) {
            arguments.addAll(List.of("--watch", "1"));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int exitCode;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            exitCode = Migrate.run(arguments, null, out);
        } catch (InterruptedException e) {
            exitCode = KILLED;
        }
        return new Run(exitCode, bytes.toString(StandardCharsets.UTF_8));
    }

    /** A running connector that has read 8 bytes of its file. */
    static Path fileSource(Cluster cluster, ConnectRest rest, String name) throws IOException {
        Path file = Files.writeString(cluster.directory().resolve(name + ".txt"), "a\nb\nc\nd\n");
        rest.create(
                name,
                Map.of(
                        "connector.class",
                        FILE_SOURCE,
                        "tasks.max",
                        "1",
                        "topic",
                        name,
                        "file",
                        file.toString(),
                        "value.converter",
                        "org.apache.kafka.connect.storage.StringConverter"));
        rest.awaitRunning(name, 1);
        Await.until(
                "offsets of " + name,
                PATIENCE,
                () -> rest.offsets(name).at("/offsets/0/offset/position").asLong() == 8,
                () -> rest.offsets(name).toString());
        return file;
    }
}
