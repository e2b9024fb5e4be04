package io.microbatch.connect.it;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.partitioned.PartitionedConnector;
import io.microbatch.connect.it.partitioned.SequenceDirectory;
import io.microbatch.connect.it.partitioned.SequenceEvent;
import io.microbatch.testbed.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A hosted connector of several tasks from the test's side: its upstream, its configuration and its topic. */
final class PartitionedLoad {

    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final long SEED = 11;

    private final Cluster cluster;
    private final Mode mode;
    private final String name;
    private final SequenceDirectory upstream;

    /** Of a new connector, without sequences yet. */
    PartitionedLoad(Cluster cluster, Mode mode, String what) {
        this.cluster = cluster;
        this.mode = mode;
        name = what + "-" + mode.suffix();
        try {
            upstream = new SequenceDirectory(
                    Files.createDirectories(cluster.directory().resolve("sequences-" + name))
                            .toString());
            Files.createDirectories(calibration());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of the connector and its topic. */
    String name() {
        return name;
    }

    Path calibration() {
        return cluster.calibrationDirectory().resolve(name);
    }

    /** Hosted by the connector under test, with so many tasks at most. */
    Map<String, String> config(int tasks) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", Integer.toString(tasks));
        config.put("upstream.connector.class", PartitionedConnector.class.getName());
        config.put("upstream.connector.directory", directory().toString());
        config.put("upstream.connector.topic", name);
        config.put("upstream.connector.seed", Long.toString(SEED));
        config.put("calibration.directory", calibration().toString());
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        if (mode == Mode.EXACTLY_ONCE) {
            // What the hosted connector declares must come through.
            config.put("exactly.once.support", "required");
        }
        return config;
    }

    private Path directory() {
        return cluster.directory().resolve("sequences-" + name);
    }

    /** Writes so many events to each of the first sequences, and so begins those that are not there yet. */
    void write(int sequences, int events) {
        for (int sequence = 0; sequence < sequences; sequence++) {
            writeTo(sequence, events);
        }
    }

    void writeTo(int sequence, int events) {
        upstream.write(sequence, upstream.end(sequence) + events);
    }

    /** Writes to the first sequences, and returns when a part of it has arrived, with the rest on its way. */
    void flow(int sequences, int events) {
        long before = texts().size();
        write(sequences, events);
        awaitRecords(before + (long) sequences * events / 8);
    }

    long end(int sequence) {
        return upstream.end(sequence);
    }

    /** Has the connector, or one of its tasks, do something once. */
    void command(String command, String text) {
        upstream.command(command, text);
    }

    /** What connector and tasks noted of themselves, in order. */
    List<String> journal() {
        return upstream.journal();
    }

    /** How often that, {@code connector} or {@code task 2}, was started. */
    long starts(String who) {
        return journal().stream()
                .filter(line -> line.startsWith(who + " started"))
                .count();
    }

    void awaitStarts(String who, long count) {
        Await.until(
                who + " of " + name + " to be started for the " + count + ". time",
                PATIENCE,
                () -> starts(who) >= count,
                () -> String.join("\n", journal()));
    }

    /** The values of the topic, committed ones only, in their order. */
    List<String> texts() {
        return cluster.reader().readCommitted(name).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    /** Waits until the topic holds so many records. */
    void awaitRecords(long atLeast) {
        long[] seen = new long[1];
        Await.until(
                atLeast + " records in " + name,
                PATIENCE,
                () -> {
                    seen[0] = texts().size();
                    return seen[0] >= atLeast;
                },
                () -> seen[0] + " seen");
    }

    /** Waits until nothing of what was written is missing, which a count with repetitions in it does not show. */
    void awaitAll() {
        awaitAllFrom(0);
    }

    /** The same for this sequence and those behind it. */
    void awaitAllFrom(int first) {
        SequenceCheck[] last = new SequenceCheck[1];
        Await.until(
                "every event in " + name,
                PATIENCE,
                () -> {
                    last[0] = checkFrom(first);
                    return last[0].lost() == 0;
                },
                () -> last[0] + "\n" + String.join("\n", journal()));
    }

    /** What the topic holds against everything that was written. */
    SequenceCheck check() {
        return checkFrom(0);
    }

    SequenceCheck checkFrom(int first) {
        return SequenceCheck.of(
                texts(), SEED, upstream.count(), sequence -> sequence < first ? 0 : upstream.end(sequence));
    }

    /** The value of an event. */
    static String text(int sequence, long position) {
        return SequenceEvent.text(SEED, sequence, position);
    }
}
