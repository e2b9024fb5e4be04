package io.microbatch.bench.hosting;

import io.microbatch.bench.faults.Event;
import io.microbatch.bench.faults.EventText;
import io.microbatch.bench.faults.PacedWriter;
import io.microbatch.testbed.TopicReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.AppInfoParser;

/** Kafka's own file source: either side reads the same file. */
final class FileMember implements Member {

    private static final int TURNS_PER_SEC = 4;
    private static final int PER_TURN = 25;
    private static final int BURST = 1_000;

    private final String prefix;
    private final long run;
    private final Path file;
    private final Canary canary;
    private PacedWriter writer;
    private long written;

    /** Prepares it; the file lies in this directory. */
    FileMember(String prefix, long run, Path directory, Canary canary) {
        this.prefix = prefix;
        this.run = run;
        this.file = directory.resolve(prefix + "source.txt");
        this.canary = canary;
    }

    @Override
    public String name() {
        return "kafka-file-source";
    }

    @Override
    public String connector() {
        return "FileStreamSourceConnector " + AppInfoParser.getVersion();
    }

    @Override
    public int tasks() {
        return 1;
    }

    @Override
    public boolean resumesExactly() {
        return true;
    }

    @Override
    public List<Topic> topics(Side side) {
        return List.of(new Topic(topic(side), 1, false));
    }

    private String topic(Side side) {
        return prefix + "file-" + side.text();
    }

    @Override
    public Map<String, String> own(Side side) {
        return Map.of(
                "class",
                "org.apache.kafka.connect.file.FileStreamSourceConnector",
                "topic",
                topic(side),
                "file",
                file.toAbsolutePath().toString(),
                "password",
                canary.placeholder());
    }

    @Override
    public Map<String, String> around() {
        return Map.of("tasks.max", "1", "value.converter", "org.apache.kafka.connect.storage.StringConverter");
    }

    @Override
    public void begin() {
        write(PER_TURN);
        writer = new PacedWriter("hosting-file", TURNS_PER_SEC, turn -> write(PER_TURN));
    }

    @Override
    public void burst() {
        write(BURST);
    }

    private synchronized void write(int lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append(EventText.of(new Event(run, 0, written, System.currentTimeMillis())))
                    .append('\n');
            written++;
        }
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void seal() {
        writer.end();
    }

    @Override
    public Delivered delivered(Side side, TopicReader reader) {
        try {
            // The file itself, not the writer's memory of it.
            Delivered delivered = new Delivered(run, Files.readAllLines(file).size());
            reader.readCommitted(topic(side), record -> delivered.saw(record, EventText.find(record.value())));
            return delivered;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
