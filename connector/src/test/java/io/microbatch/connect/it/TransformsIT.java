package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.bulk.BulkRecordBuilder;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.JmxReader;
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
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The transforms of the packaged archive, on a real worker, with this connector and with others. */
@ExtendWith(Cluster.Shared.class)
class TransformsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PACKAGE = "io.microbatch.connect.transforms.";
    private static final String KAFKAS = "org.apache.kafka.connect.transforms.";
    private static final Mode ANY_MODE = Mode.AT_LEAST_ONCE;

    private final Cluster cluster;

    TransformsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void areListedByTheWorker() {
        assertThat(cluster.rest(ANY_MODE).plugins())
                .contains(
                        PACKAGE + "StampPressure",
                        PACKAGE + "ObservePressure",
                        PACKAGE + "RouteByPressure",
                        PACKAGE + "UnpackBulk");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void stampsEveryEventWithItsBatchAfterATransformOfKafka(Mode mode) {
        SyntheticLoad load = new SyntheticLoad(cluster, "stamped-" + mode.suffix(), 2, 3_000);
        Map<String, String> config = load.config(1, 0);
        config.put("transforms", "before,stamp");
        config.put("transforms.before.type", KAFKAS + "InsertHeader");
        config.put("transforms.before.header", "before");
        config.put("transforms.before.value.literal", "here");
        config.put("transforms.stamp.type", PACKAGE + "StampPressure");
        config.put("transforms.stamp.batch.sequence.header", "sequence");
        cluster.rest(mode).create(load.name(), config);
        load.awaitEvents(load.total());
        assertThat(load.checkStopped(cluster.rest(mode))).isEqualTo(SyntheticCheck.CLEAN);

        Map<Long, List<ConsumerRecord<byte[], byte[]>>> batches = new TreeMap<>();
        cluster.reader()
                .readCommitted(load.name())
                .forEach(record -> batches.computeIfAbsent(
                                Long.parseLong(header(record, "sequence")), number -> new ArrayList<>())
                        .add(record));
        assertThat(batches.keySet()).first().isEqualTo(0L);
        assertThat(batches.keySet()).last().isEqualTo(batches.size() - 1L);
        batches.values().forEach(TransformsIT::assertWhole);
        cluster.rest(mode).delete(load.name());
    }

    private static void assertWhole(List<ConsumerRecord<byte[], byte[]>> batch) {
        assertThat(batch).allSatisfy(record -> {
            assertThat(header(record, "microbatch.batch.size")).isEqualTo(Integer.toString(batch.size()));
            assertThat(header(record, "microbatch.level")).isEqualTo(header(batch.get(0), "microbatch.level"));
            assertThat(header(record, "before")).isEqualTo("here");
            assertThat(Double.parseDouble(header(record, "microbatch.linger.ms")))
                    .isNotNegative();
            // The producer sets the timestamp after the arrival, by the clock of the same machine.
            assertThat(Long.parseLong(header(record, "microbatch.arrival.ms")))
                    .isLessThanOrEqualTo(record.timestamp() + 1)
                    .isGreaterThan(record.timestamp() - PATIENCE.toMillis());
        });
        List<Integer> positions = batch.stream()
                .map(record -> Integer.parseInt(header(record, "microbatch.batch.position")))
                .sorted()
                .toList();
        for (int i = 0; i < positions.size(); i++) {
            assertThat(positions.get(i)).isEqualTo(i);
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    @Test
    void routesEachEventByTheLevelOfItsBatch() {
        SyntheticLoad load = new SyntheticLoad(cluster, "routed", 1, 3_000);
        Map<String, String> config = load.config(1, 1_000);
        config.put("transforms", "stamp,route");
        config.put("transforms.stamp.type", PACKAGE + "StampPressure");
        config.put("transforms.route.type", PACKAGE + "RouteByPressure");
        config.put("transforms.route.level.topic.format", "${topic}.${level}");
        cluster.rest(ANY_MODE).create(load.name(), config);
        Await.until(
                "every event in the topic of a level",
                PATIENCE,
                () -> byLevel(load.name()).values().stream()
                                .mapToLong(List::size)
                                .sum()
                        >= load.total(),
                () -> cluster.rest(ANY_MODE).status(load.name()).toString());

        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> routed = byLevel(load.name());
        assertThat(routed.values().stream().mapToLong(List::size).sum()).isEqualTo(load.total());
        assertThat(routed.get(4)).as("1,000 events/s are level L4").isNotEmpty();
        routed.forEach((level, records) -> assertThat(records)
                .allSatisfy(
                        record -> assertThat(header(record, "microbatch.level")).isEqualTo(Integer.toString(level))));
        cluster.rest(ANY_MODE).delete(load.name());
    }

    private Map<Integer, List<ConsumerRecord<byte[], byte[]>>> byLevel(String topic) {
        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
        for (int level = 1; level <= 10; level++) {
            records.put(level, cluster.reader().readCommitted(topic + ".L" + level));
        }
        return records;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sendsLateEventsOfAForeignSourceToTheirOwnTopic(boolean late) throws IOException {
        String name = late ? "aged-old" : "aged-fresh";
        Path file = write(name, lines(200));
        Map<String, String> config = fileSource(name, file);
        config.put("transforms", "hoist,time,number,route");
        config.put("transforms.hoist.type", KAFKAS + "HoistField$Value");
        config.put("transforms.hoist.field", "line");
        config.put("transforms.time.type", KAFKAS + "InsertField$Value");
        config.put("transforms.time.static.field", "at");
        // The years 2000 and 2100.
        config.put("transforms.time.static.value", late ? "946684800000" : "4102444800000");
        config.put("transforms.number.type", KAFKAS + "Cast$Value");
        config.put("transforms.number.spec", "at:int64");
        config.put("transforms.route.type", PACKAGE + "RouteByPressure");
        config.put("transforms.route.route.by", "age");
        config.put("transforms.route.age.budget.ms", "60000");
        config.put("transforms.route.event.time.field", "at");
        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");
        cluster.rest(ANY_MODE).create(name, config);
        String target = late ? name + "-late" : name;
        awaitRecords(target, 200);
        assertThat(cluster.reader().readCommitted(late ? name : name + "-late")).isEmpty();
        cluster.rest(ANY_MODE).delete(name);
    }

    @Test
    void observesAForeignSourceAndAForeignSinkWithoutChanges() throws IOException {
        String source = "observed-source";
        List<String> lines = lines(5_000);
        Map<String, String> config = fileSource(source, write(source, lines));
        observing(config);
        ConnectRest rest = cluster.rest(ANY_MODE);
        rest.create(source, config);
        awaitRecords(source, lines.size());
        assertThat(cluster.reader().readCommitted(source).stream()
                        .map(record -> new String(record.value(), StandardCharsets.UTF_8)))
                .containsExactlyElementsOf(lines);
        assertObserved(source, lines.size());

        String sink = "observed-sink";
        Path written = cluster.directory().resolve(sink + ".out");
        Map<String, String> sinkConfig = fileSink(source, written);
        sinkConfig.put("value.converter", Lines.STRING);
        observing(sinkConfig);
        rest.create(sink, sinkConfig);
        Await.until(
                "every line",
                PATIENCE,
                () -> read(written).size() >= lines.size(),
                () -> rest.status(sink).toString());
        assertThat(read(written)).isEqualTo(lines);
        assertObserved(sink, lines.size());
        rest.delete(sink);
        rest.delete(source);
    }

    @Test
    void unpacksABulkTopicForAForeignSink() {
        String name = "unpacked";
        List<String> expected = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < 50; i++) {
                List<String> events = Lines.numbered(1_000 * i, 1 + i * 7);
                expected.add(events.toString());
                BulkRecordBuilder record = new BulkRecordBuilder(BulkWriter.of(0), 900_000);
                for (String event : events) {
                    assertThat(record.append(null, -1, event.getBytes(StandardCharsets.UTF_8)))
                            .isTrue();
                }
                Future<RecordMetadata> ignored = producer.send(new ProducerRecord<>(name, 0, null, record.build()));
            }
        }
        Path written = cluster.directory().resolve(name + ".out");
        Map<String, String> config = fileSink(name, written);
        config.put("value.converter", Lines.BYTES);
        config.put("transforms", "unpack");
        config.put("transforms.unpack.type", PACKAGE + "UnpackBulk");
        config.put("transforms.unpack.as", "converted");
        config.put("transforms.unpack.inner.converter", Lines.STRING);
        ConnectRest rest = cluster.rest(ANY_MODE);
        rest.create(name, config);
        Await.until(
                "every record",
                PATIENCE,
                () -> read(written).size() >= 50,
                () -> rest.status(name).toString());
        assertThat(read(written)).isEqualTo(expected);
        rest.delete(name);
    }

    private static Map<String, String> fileSink(String topic, Path file) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", "org.apache.kafka.connect.file.FileStreamSinkConnector");
        config.put("tasks.max", "1");
        config.put("topics", topic);
        config.put("file", file.toString());
        return config;
    }

    private static void observing(Map<String, String> config) {
        config.put("transforms", "observe");
        config.put("transforms.observe.type", PACKAGE + "ObservePressure");
        config.put("transforms.observe.latency.target.ms", "1");
    }

    private void assertObserved(String connector, int records) {
        Await.until(
                "all counted",
                PATIENCE,
                () -> metric(connector, "record-total") == records,
                () -> metric(connector, "record-total") + " counted");
        assertThat(metric(connector, "record-size-avg-bytes")).isBetween(200.0, 400.0);
        assertThat(metric(connector, "event-lag-max-ms")).isBetween(-1.0, (double) PATIENCE.toMillis());
        assertThat(metric(connector, "pressure-level")).isBetween(1.0, 10.0);
        assertThat(metric(connector, "budget-ms")).isOne();
        assertThat(metric(connector, "batch-target-events")).isEqualTo(1_000);
        assertThat(metric(connector, "linger-ms")).isEqualTo(0.5);
    }

    private double metric(String connector, String attribute) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(connector) + ",task=0,*";
        return cluster.worker(ANY_MODE).jmx().number(pattern, attribute).orElse(Double.NaN);
    }

    private static List<String> lines(int count) {
        return Lines.numbered(0, count);
    }

    private Path write(String name, List<String> lines) throws IOException {
        return Files.writeString(cluster.directory().resolve(name + ".txt"), String.join("\n", lines) + "\n");
    }

    private static List<String> read(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitRecords(String topic, int count) {
        Await.until(
                count + " records in " + topic,
                PATIENCE,
                () -> cluster.reader().readCommitted(topic).size() >= count,
                () -> cluster.reader().readCommitted(topic).size() + " seen");
    }

    private static Map<String, String> fileSource(String topic, Path file) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", "org.apache.kafka.connect.file.FileStreamSourceConnector");
        config.put("tasks.max", "1");
        config.put("topic", topic);
        config.put("file", file.toString());
        config.put("value.converter", Lines.STRING);
        return config;
    }
}
