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
import java.util.function.IntPredicate;

/** A hosted connector of several tasks from the test's side: its upstream, its configuration and its topic. */
final class PartitionedLoad {

    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final long SEED = 11;

    private final Cluster cluster;
    private final Mode mode;
    private final String name;
    private final SequenceDirectory upstream;

    /** Creates the upstream of a new connector, without sequences. */
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

    /** The name of the connector and its topic. */
    String name() {
        return name;
    }

    Path calibration() {
        return cluster.calibrationDirectory().resolve(name);
    }

    /** The configuration of the hosted connector, with this maximum number of tasks. */
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
            // Requires that the declaration of the hosted connector is passed on.
            config.put("exactly.once.support", "required");
        }
        return config;
    }

    private Path directory() {
        return cluster.directory().resolve("sequences-" + name);
    }

    /** Appends this number of events to each of the first sequences, and creates missing ones. */
    void write(int sequences, int events) {
        for (int sequence = 0; sequence < sequences; sequence++) {
            writeTo(sequence, events);
        }
    }

    void writeTo(int sequence, int events) {
        upstream.write(sequence, upstream.end(sequence) + events);
    }

    /** Appends to the first sequences and returns when some of the events have arrived. */
    void flow(int sequences, int events) {
        long before = texts().size();
        write(sequences, events);
        awaitRecords(before + (long) sequences * events / 8);
    }

    long end(int sequence) {
        return upstream.end(sequence);
    }

    /** Makes the connector, or one of its tasks, do something once. */
    void command(String command, String text) {
        upstream.command(command, text);
    }

    /** The journal of the connector and its tasks, in order. */
    List<String> journal() {
        return upstream.journal();
    }

    /** The number of starts of {@code connector} or, for example, {@code task 2}. */
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

    /** The committed values of the topic, in order. */
    List<String> texts() {
        return cluster.reader().readCommitted(name).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    /** Waits until the topic holds this number of records. */
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

    /** Waits until no written event is missing. A count of records may include repetitions. */
    void awaitAll() {
        awaitAllFrom(0);
    }

    /** Waits until no event of this sequence and of later ones is missing. */
    void awaitAllFrom(int first) {
        awaitAllOf(sequence -> sequence >= first);
    }

    /** Waits until no event of these sequences is missing. Other sequences may have gaps. */
    void awaitAllOf(IntPredicate sequences) {
        SequenceCheck[] last = new SequenceCheck[1];
        Await.until(
                "every event in " + name,
                PATIENCE,
                () -> {
                    last[0] = checkOf(sequences);
                    return last[0].lost() == 0;
                },
                () -> last[0] + "\n" + String.join("\n", journal()));
    }

    /** Compares the topic with all written events. */
    SequenceCheck check() {
        return checkFrom(0);
    }

    SequenceCheck checkFrom(int first) {
        return checkOf(sequence -> sequence >= first);
    }

    /** Compares the topic with the events of these sequences. Records of other sequences count as corrupt. */
    private SequenceCheck checkOf(IntPredicate sequences) {
        return SequenceCheck.of(
                texts(), SEED, upstream.count(), sequence -> sequences.test(sequence) ? upstream.end(sequence) : 0);
    }

    /** The value of an event. */
    static String text(int sequence, long position) {
        return SequenceEvent.text(SEED, sequence, position);
    }
}
