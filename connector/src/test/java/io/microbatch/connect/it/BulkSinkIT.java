package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.bulk.BulkCursorDeserializer;
import io.microbatch.connect.bulk.BulkDeserializer;
import io.microbatch.connect.bulk.BulkEvent;
import io.microbatch.connect.bulk.BulkFormat;
import io.microbatch.connect.bulk.BulkReader;
import io.microbatch.connect.bulk.BulkRecordBuilder;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bulk records, read by Kafka's file sink through the packaged converter and transform, and by consumers. */
@ExtendWith(Cluster.Shared.class)
class BulkSinkIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Mode ANY_MODE = Mode.AT_LEAST_ONCE;
    private static final String CONVERTER = "io.microbatch.connect.bulk.BulkConverter";
    private static final int RECORDS = 40;
    private static final long BASE_MS = 1_700_000_000_000L;

    private final Cluster cluster;

    BulkSinkIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void isListedByTheWorker() {
        assertThat(cluster.rest(ANY_MODE).plugins()).contains(CONVERTER);
    }

    @Test
    void deliversEventsInOrderToASinkConnector() throws InterruptedException, ExecutionException {
        String name = "bulk-sink";
        List<String> expected = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int record = 0; record < RECORDS; record++) {
                List<BulkEvent> events = events(record);
                expected.add(events.stream().map(BulkSinkIT::text).toList().toString());
                send(producer, name, record(events));
            }
        }
        ConnectRest rest = cluster.rest(ANY_MODE);
        Path written = cluster.directory().resolve(name + ".out");
        rest.create(name, fileSink(name, written));
        awaitLines(written, expected, rest, name);
        rest.delete(name);
    }

    /** Both examples, on a worker whose own converters read JSON. The key of a bulk record is none. */
    @Test
    void theSinkOfTheExampleReadsWhatTheSourceOfTheExamplePacks() throws IOException {
        Lines lines = new Lines(cluster, ANY_MODE, "bulk-example");
        List<String> expected = Lines.numbered(0, 1_000);
        lines.append(expected);
        Map<String, String> source = example("hosted-file-bulk.json");
        source.putAll(lines.config(Lines.BYTES, Map.of()));
        ConnectRest rest = lines.rest();
        rest.create(lines.name(), source);
        String sink = "bulk-example-sink";
        Path written = cluster.directory().resolve(sink + ".out");
        Map<String, String> config = example("unpack-bulk-file-sink.json");
        assertThat(config)
                .containsEntry("topics", example("hosted-file-bulk.json").get("upstream.connector.topic"));
        config.put("topics", lines.name());
        config.put("file", written.toString());
        rest.create(sink, config);

        Await.until(
                expected.size() + " events",
                PATIENCE,
                () -> events(written).size() >= expected.size(),
                () -> events(written).size() + " events, " + rest.status(sink));
        assertThat(events(written)).isEqualTo(expected);
        rest.delete(sink);
        rest.delete(lines.name());
    }

    @Test
    void sendsADamagedRecordToTheDeadLetterQueueAndContinues() throws InterruptedException, ExecutionException {
        String name = "bulk-damaged";
        byte[] damaged = record(events(1));
        damaged[damaged.length / 2]++;
        List<String> expected = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int record = 0; record < 3; record++) {
                List<BulkEvent> events = events(record);
                if (record == 1) {
                    send(producer, name, damaged);
                    send(producer, name, "no bulk record".getBytes(StandardCharsets.UTF_8));
                } else {
                    expected.add(events.stream().map(BulkSinkIT::text).toList().toString());
                    send(producer, name, record(events));
                }
            }
        }
        ConnectRest rest = cluster.rest(ANY_MODE);
        Path written = cluster.directory().resolve(name + ".out");
        Map<String, String> config = fileSink(name, written);
        config.put("errors.tolerance", "all");
        config.put("errors.deadletterqueue.topic.name", name + "-dead");
        config.put("errors.deadletterqueue.topic.replication.factor", "1");
        rest.create(name, config);
        awaitLines(written, expected, rest, name);
        Await.until(
                "both dead letters",
                PATIENCE,
                () -> cluster.reader().readCommitted(name + "-dead").size() >= 2,
                () -> rest.status(name).toString());
        assertThat(cluster.reader().readCommitted(name + "-dead"))
                .extracting(ConsumerRecord::value)
                .containsExactly(damaged, "no bulk record".getBytes(StandardCharsets.UTF_8));
        rest.delete(name);
    }

    @Test
    void deliversEventsWithKeysAndTimestampsToAConsumer() throws InterruptedException, ExecutionException {
        String name = "bulk-consumer";
        List<BulkEvent> expected = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int record = 0; record < RECORDS; record++) {
                expected.addAll(events(record));
                send(producer, name, record(events(record)));
            }
        }
        List<BulkEvent> listed = new ArrayList<>();
        read(name, new BulkDeserializer()).forEach(listed::addAll);
        assertThat(listed).isEqualTo(expected);

        // All cursors of a poll exist before the first one moves.
        List<BulkEvent> pointedAt = new ArrayList<>();
        for (BulkReader cursor : read(name, new BulkCursorDeserializer())) {
            while (cursor.next()) {
                pointedAt.add(cursor.event());
            }
        }
        assertThat(pointedAt).isEqualTo(expected);
    }

    /** Includes null values, empty values, null keys and events without a timestamp. All records differ in length. */
    private static List<BulkEvent> events(int record) {
        List<BulkEvent> events = new ArrayList<>();
        for (int i = 0; i <= record * 5; i++) {
            byte[] key = i % 3 == 0 ? null : bytes("key " + i % 7);
            byte[] value = i % 11 == 5 ? null : i % 11 == 6 ? new byte[0] : bytes("event " + record + "." + i);
            events.add(new BulkEvent(key, i % 4 == 0 ? BulkFormat.NO_TIMESTAMP : BASE_MS + i, value));
        }
        return events;
    }

    private static byte[] record(List<BulkEvent> events) {
        BulkRecordBuilder builder = new BulkRecordBuilder(BulkWriter.of(BulkFormat.ALL_FLAGS, BASE_MS), 900_000);
        for (BulkEvent event : events) {
            assertThat(builder.append(event.key(), event.timestampMs(), event.value()))
                    .isTrue();
        }
        return builder.build();
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers(), "compression.type", "lz4"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] value)
            throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>(topic, 0, null, value)).get();
    }

    private <T> List<T> read(String topic, Deserializer<T> deserializer) {
        Map<String, Object> settings = Map.of("bootstrap.servers", cluster.bootstrapServers());
        List<T> values = new ArrayList<>();
        try (KafkaConsumer<byte[], T> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), deserializer)) {
            List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Await.until(
                    RECORDS + " records",
                    PATIENCE,
                    () -> {
                        consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
                        return values.size() >= RECORDS;
                    },
                    () -> values.size() + " seen");
        }
        return values;
    }

    private static Map<String, String> fileSink(String topic, Path file) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", "org.apache.kafka.connect.file.FileStreamSinkConnector");
        config.put("tasks.max", "1");
        config.put("topics", topic);
        config.put("file", file.toString());
        config.put("key.converter", Lines.BYTES);
        config.put("value.converter", CONVERTER);
        config.put("value.converter.inner.converter", Lines.STRING);
        return config;
    }

    private static void awaitLines(Path file, List<String> expected, ConnectRest rest, String connector) {
        Await.until(
                expected.size() + " lines",
                PATIENCE,
                () -> lines(file).size() >= expected.size(),
                () -> lines(file).size() + " lines, " + rest.status(connector));
        assertThat(lines(file)).isEqualTo(expected);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line is the array of a record's events. */
    private static List<String> events(Path file) {
        return lines(file).stream()
                .flatMap(line -> Stream.of(line.replaceAll("^\\[|]$", "").split(", ")))
                .toList();
    }

    private static Map<String, String> example(String file) throws IOException {
        Path path = Path.of(System.getProperty("config.examples")).resolve(file);
        return new ObjectMapper()
                .convertValue(new ObjectMapper().readTree(path.toFile()).get("config"), new TypeReference<>() {});
    }

    private static String text(BulkEvent event) {
        return event.value() == null ? null : new String(event.value(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
