package io.microbatch.connect.it;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A file that a hosted file source reads into a topic of the connector's name. */
final class Lines {

    static final String STRING = "org.apache.kafka.connect.storage.StringConverter";
    static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    static final String TEST_CONVERTER = "io.microbatch.connect.convert.TestConverter";

    /** The bytes that the producer adds to the value of a record over 8 KiB without key and headers. */
    static final int OVERHEAD_BYTES = 87;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final ConnectWorker worker;
    private final String name;
    private final Path file;

    /** On the worker of this mode that tests share. */
    Lines(Cluster cluster, Mode mode, String test) {
        this(cluster, mode, test, cluster.worker(mode));
    }

    /** On a worker of this mode that the test breaks. */
    Lines(Cluster cluster, Mode mode, String test, ConnectWorker worker) {
        this.cluster = cluster;
        this.worker = worker;
        this.name = test + "-" + mode.suffix();
        this.file = cluster.directory().resolve(name + ".txt");
    }

    String name() {
        return name;
    }

    ConnectRest rest() {
        return worker.rest();
    }

    /** Creates this number of lines. The lines with the given numbers are poisoned. */
    static List<String> numbered(int from, int count, Integer... poison) {
        List<String> lines = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            lines.add((List.of(poison).contains(i) ? "poison " : "line ") + i);
        }
        return lines;
    }

    /** Creates lines in the middle of which the test converter throws an {@code OutOfMemoryError}. */
    static List<String> withMemoryRunningOut() {
        List<String> lines = numbered(0, 1_000);
        lines.add(500, "memory");
        return lines;
    }

    void append(List<String> lines) {
        try {
            Files.writeString(
                    file, String.join("\n", lines) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A configuration with this converter and these further settings. */
    Map<String, String> config(String valueConverter, Map<String, String> more) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.connector.class", "org.apache.kafka.connect.file.FileStreamSourceConnector");
        config.put("upstream.connector.topic", name);
        config.put("upstream.connector.file", file.toString());
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.put("value.converter", valueConverter);
        config.putAll(more);
        return config;
    }

    /** What consumers get when no transaction is open. */
    List<String> delivered() {
        cluster.reader().awaitStable(name, PATIENCE);
        return records(name).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return cluster.reader().readCommitted(topic);
    }

    void awaitDelivered(int count) {
        await(count + " lines", () -> delivered().size(), count);
    }

    /** Waits for the last line, because a count may include duplicates. */
    void awaitLast(String line) {
        await("'" + line + "'", () -> delivered().contains(line) ? 1 : 0, 1);
    }

    void awaitMetric(String metric, int value) {
        await(metric + " " + value, () -> metric(metric), value);
    }

    private void await(String what, java.util.function.IntSupplier seen, int wanted) {
        Await.until(
                what + " of " + name,
                PATIENCE,
                () -> seen.getAsInt() >= wanted,
                () -> seen.getAsInt() + " seen; " + rest().status(name));
    }

    int metric(String metric) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(name) + ",*";
        return (int) worker.jmx().number(pattern, metric).orElse(-1);
    }
}
