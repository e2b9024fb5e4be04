package io.microbatch.bench.hosting;

import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.AppInfoParser;

/** Kafka's own file source: either side reads the same file. */
final class FileMember extends Member {

    /** As the results list it. */
    static final String NAME = "kafka-file-source";

    private static final int TURNS_PER_SEC = 4;
    private static final int PER_TURN = 25;
    private static final int BURST = 1_000;

    private final String prefix;
    private final long run;
    private final Path file;
    private final Canary canary;
    private long written;

    /** Prepares it. The file lies in this directory. */
    FileMember(String prefix, long run, Path directory, Canary canary) {
        super(NAME, "FileStreamSourceConnector " + AppInfoParser.getVersion(), 1, true);
        this.prefix = prefix;
        this.run = run;
        this.file = directory.resolve(prefix + "source.txt");
        this.canary = canary;
    }

    @Override
    List<Topic> topics(Side side) {
        return List.of(new Topic(topic(side), 1, false));
    }

    private String topic(Side side) {
        return prefix + "file-" + side.text();
    }

    @Override
    Map<String, String> own(Side side) {
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
    Map<String, String> around() {
        return Map.of("tasks.max", "1", "value.converter", "org.apache.kafka.connect.storage.StringConverter");
    }

    @Override
    void begin() {
        write(PER_TURN);
        writeSteadily(TURNS_PER_SEC, PER_TURN);
    }

    @Override
    void burst() {
        write(BURST);
    }

    @Override
    synchronized void write(int lines) {
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
    Delivered delivered(Side side, TopicReader reader) {
        try {
            // The file itself, not the writer's memory of it.
            Delivered delivered = new Delivered(run, Files.readAllLines(file).size());
            reader.readCommitted(topic(side), record -> delivered.saw(record, EventText.find(record.value())));
            return delivered;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
