package io.microbatch.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/** Kafka's own file source, hosted: one file, which is one source partition. */
final class FileFeed implements Feed {

    private static final int RATE_PER_SEC = 300;

    private final String name;
    private final long run;
    private final Path file;
    private PacedWriter writer;
    private volatile long written;

    FileFeed(String name, long run, Path directory) {
        this.name = name;
        this.run = run;
        this.file = directory.resolve(name + ".txt");
    }

    @Override
    public String topic() {
        return name;
    }

    @Override
    public long run() {
        return run;
    }

    @Override
    public int topicPartitions() {
        return 1;
    }

    @Override
    public int sourcePartitions() {
        return 1;
    }

    @Override
    public Map<String, String> config() {
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
    public void begin() {
        writer = new PacedWriter("faults-file", RATE_PER_SEC, number -> {
            String line = EventText.of(new Event(run, 0, number, System.currentTimeMillis()));
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            written = number + 1;
        });
    }

    @Override
    public void seal(long[] highest) {
        writer.end();
    }

    @Override
    public long[] truth() {
        try {
            // The file itself, not the writer's memory of it.
            return new long[] {Math.max(written, Files.readAllLines(file).size())};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Event decode(byte[] value) {
        return EventText.find(value);
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
