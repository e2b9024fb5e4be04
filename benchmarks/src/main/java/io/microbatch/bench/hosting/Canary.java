package io.microbatch.bench.hosting;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.testbed.ConnectWorker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.provider.FileConfigProvider;

/** A password that connectors get by a config provider, and that must appear nowhere else. One thread. */
final class Canary {

    private final String value = "canary-" + UUID.randomUUID();
    private final Path file;
    private final List<String> found = new ArrayList<>();

    /** Writes it into a file of this directory. */
    Canary(Path directory) {
        file = directory.resolve("secrets.properties");
        try {
            Files.writeString(file, "password=" + value + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The password itself. */
    String value() {
        return value;
    }

    /** What a configuration has in its place. */
    String placeholder() {
        return "${file:" + file.toAbsolutePath() + ":password}";
    }

    /** Lets a worker resolve it. */
    ConnectWorker.Builder known(ConnectWorker.Builder worker) {
        return worker.property("config.providers", "file")
                .property("config.providers.file.class", FileConfigProvider.class.getName());
    }

    /** Looks for it in what the worker answers about a connector's tasks. */
    void lookAt(String connector, JsonNode taskConfigs) {
        if (taskConfigs.toString().contains(value)) {
            found.add("GET /connectors/" + connector + "/tasks");
        }
    }

    /** Looks for it in a record of a config topic. */
    void lookAt(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() != null && new String(record.value(), StandardCharsets.UTF_8).contains(value)) {
            found.add(
                    "config topic: " + (record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8)));
        }
    }

    /** Where it was seen. */
    List<String> found() {
        return List.copyOf(found);
    }
}
