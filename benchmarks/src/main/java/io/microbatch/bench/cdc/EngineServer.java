package io.microbatch.bench.cdc;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.cdc.engine.EngineToKafka;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.JavaServer;
import io.microbatch.testbed.TestbedHome;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A process for Debezium's engine, with the memory of a measured worker. It outlives the engines, one for each turn and
 * one more after each stop, so that what its JVM has compiled stays, as in a worker. One thread.
 */
final class EngineServer implements Closeable {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** The garbage collector's options of a measured worker, with its heap. */
    private static final List<String> JVM = List.of(
            "-Xms2g",
            "-Xmx2g",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent");

    private static final List<String> OF_A_WORKER = List.of("key.converter", "value.converter", "topic.creation");

    private final Path directory;
    private final JavaServer server;

    /**
     * Starts the process, which waits for an engine.
     *
     * @param directory the process's own
     */
    EngineServer(TestbedHome home, Path directory, String bootstrapServers) {
        this.directory = directory;
        Path own = BenchHome.root().resolve("benchmarks/target/classes");
        String classPath = own + File.pathSeparator + home.engineClassPath();
        server = JavaServer.start(
                directory,
                "engine",
                JVM,
                classPath,
                EngineToKafka.class.getName(),
                List.of(directory.toString(), bootstrapServers),
                EngineToKafka.READY);
    }

    /** What the engine is given: the connector's settings, its own, and where it keeps its offsets. */
    static Map<String, String> settings(ConnectorConfig connector, Path offsets) {
        Map<String, String> all = new TreeMap<>(connector.config());
        all.keySet().removeIf(key -> OF_A_WORKER.stream().anyMatch(key::startsWith));
        all.put("name", connector.name());
        all.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        all.put("offset.storage.file.filename", offsets.toString());
        all.put("converter.schemas.enable", "false");
        return all;
    }

    /** Gives the next engine its connector. */
    void configure(ConnectorConfig connector) {
        // A turn has a topic prefix, and so offsets, of its own.
        Path offsets = directory.resolve("offsets-" + connector.config().get("topic.prefix"));
        Properties properties = new Properties();
        properties.putAll(settings(connector, offsets));
        try (Writer writer = Files.newBufferedWriter(directory.resolve(EngineToKafka.SETTINGS))) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs an engine, and returns when it polls. */
    void start() {
        try {
            Path ignored = Files.createFile(directory.resolve(EngineToKafka.RUN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitPolling(true);
    }

    /** Stops the engine cleanly. */
    void stop() {
        try {
            Files.delete(directory.resolve(EngineToKafka.RUN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitPolling(false);
    }

    private void awaitPolling(boolean polls) {
        Await.until(
                polls ? "the engine polls" : "the engine has stopped",
                LIMIT,
                () -> {
                    requireRunning();
                    return Files.exists(directory.resolve(EngineToKafka.POLLING)) == polls;
                },
                server::logTail);
    }

    long pid() {
        return server.pid();
    }

    /** Fails with the end of its log when it has ended. */
    void requireRunning() {
        if (!server.isAlive()) {
            throw new IllegalStateException("the engine has ended. " + server.logTail());
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
