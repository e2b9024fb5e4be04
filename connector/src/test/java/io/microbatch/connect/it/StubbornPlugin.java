package io.microbatch.connect.it;

import io.microbatch.connect.it.stubborn.StubbornConnector;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A stubborn connector from the test's side: its installation, and the directory that controls one instance. */
final class StubbornPlugin {

    static final String CONNECTOR = StubbornConnector.class.getName();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path directory;
    private final String topic;
    private final int port;

    StubbornPlugin(Path directory, String topic) {
        try {
            this.directory = Files.createDirectories(directory);
            this.topic = topic;
            port = Ports.free();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The configuration, hosted by the connector under test. */
    Map<String, String> hosted(Path calibration) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.connector.class", CONNECTOR);
        config.put("upstream.connector.control", directory.toString());
        config.put("upstream.connector.topic", topic);
        config.put("upstream.connector.port", Integer.toString(port));
        config.put("calibration.directory", calibration.toString());
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        return config;
    }

    /** Makes the next such call hang. */
    void hang(String call) {
        try {
            Files.writeString(directory.resolve("hang-" + call), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitHanging(String call) {
        Await.until(
                "a hanging " + call,
                PATIENCE,
                () -> isHanging(call),
                () -> journal().toString());
    }

    boolean isHanging(String call) {
        return Files.exists(directory.resolve("hanging-" + call));
    }

    /** Releases the hanging call. */
    void release(String call) {
        try {
            Files.delete(directory.resolve("hanging-" + call));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The calls in order, such as {@code task-1 poll}. */
    List<String> journal() {
        try {
            Path file = directory.resolve("journal");
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
