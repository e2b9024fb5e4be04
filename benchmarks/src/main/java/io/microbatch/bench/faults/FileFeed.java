package io.microbatch.bench.faults;

import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/** Kafka's own file source, hosted: one file, which is one source partition. */
final class FileFeed extends Feed {

    private static final int RATE_PER_SEC = 300;

    private final Path file;
    private volatile long written;

    FileFeed(String name, long run, Path directory) {
        super(name, run, 1, 1);
        this.file = directory.resolve(name + ".txt");
    }

    @Override
    Map<String, String> config() {
        Map<String, String> config = new HashMap<>();
        config.put("tasks.max", "1");
        config.put("upstream.connector.class", "org.apache.kafka.connect.file.FileStreamSourceConnector");
        config.put("upstream.connector.topic", name);
        config.put("upstream.connector.file", file.toString());
        config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        return config;
    }

    @Override
    void begin() {
        begin(RATE_PER_SEC, number -> {
            String line = EventText.of(new Event(run, 0, number, System.currentTimeMillis()));
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            written = number + 1;
        });
    }

    @Override
    long[] truth() {
        try {
            // The file itself, not the writer's memory of it.
            return new long[] {Math.max(written, Files.readAllLines(file).size())};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
