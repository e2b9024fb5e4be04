package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dead letters with trial conversion, where transforms see the events themselves. */
@ExtendWith(Cluster.Shared.class)
class TrialConversionIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String DEAD_LETTER_CONVERTER = "io.microbatch.connect.transforms.DeadLetterConverter";
    private static final int LIMIT = 20_000;

    private final Cluster cluster;

    TrialConversionIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static void useTrialConversion(Map<String, String> config, String deadLetterTopic) {
        config.put("deadletter.topic", deadLetterTopic);
        config.put("deadletter.mode", "try");
        config.put("key.converter", DEAD_LETTER_CONVERTER);
        config.put("value.converter", DEAD_LETTER_CONVERTER);
        // In a plugin directory of its own, like a plugin of another vendor.
        config.put("value.converter.delegate", Lines.TEST_CONVERTER);
        config.put("header.converter", DEAD_LETTER_CONVERTER);
        config.put("producer.override.max.request.size", Integer.toString(LIMIT));
    }

    /**
     * Debezium's own transform also gets dead letters. A predicate excludes them from one of Kafka's, which would fail
     * on them.
     */
    private Map<String, String> flattened(PostgresFixture table) {
        Map<String, String> config = table.hosted(cluster);
        useTrialConversion(config, dead(table));
        config.put("key.converter.delegate", "org.apache.kafka.connect.json.JsonConverter");
        config.put("key.converter.delegate.schemas.enable", "false");
        config.put("transforms", "unwrap,add");
        config.put("transforms.unwrap.type", "io.debezium.transforms.ExtractNewRecordState");
        config.put("transforms.unwrap.delete.tombstone.handling.mode", "tombstone");
        config.put("transforms.add.type", "org.apache.kafka.connect.transforms.InsertField$Value");
        config.put("transforms.add.static.field", "origin");
        config.put("transforms.add.static.value", "shop");
        config.put("transforms.add.predicate", "dead");
        config.put("transforms.add.negate", "true");
        config.put("predicates", "dead");
        config.put("predicates.dead.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches");
        config.put("predicates.dead.pattern", dead(table));
        return config;
    }

    private static String dead(PostgresFixture table) {
        return table.topic() + ".dead";
    }

    private static String header(ConsumerRecord<byte[], byte[]> deadLetter, String name) {
        Header header = deadLetter.headers().lastHeader("__connect.errors." + name);
        return header == null ? "absent" : text(header.value());
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void flattensDeliverableEventsAndSendsOthersToTheDeadLetterTopic(Mode mode) throws Exception {
        String name = "tried_" + mode.suffix().replace('-', '_');
        ConnectRest rest = cluster.rest(mode);
        Set<Long> poisoned = Set.of(1L, 50L, 51L, 100L, 101L, 250L, 300L);
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            insert(table, 1, 100, poisoned);
            rest.create(name, flattened(table));
            awaitRecords(dead(table), 4);
            cluster.worker(mode).awaitRunning(name, 1);

            insert(table, 101, 300, poisoned);
            table.execute("INSERT INTO " + name + " VALUES (400, repeat('x', 30000))");
            table.execute("DELETE FROM " + name + " WHERE id = 2");
            awaitRecords(table.topic(), 96 + 197 + 1);
            awaitRecords(dead(table), poisoned.size() + 1);
            // A repeated send comes after these records, at the latest when the task stops.
            rest.stop(name);
            rest.awaitState(name, "STOPPED");

            assertThat(values(table.topic())).as("once, in order, flattened").isEqualTo(expected(poisoned));
            List<ConsumerRecord<byte[], byte[]>> deadLetters = cluster.reader().readCommitted(dead(table));
            assertThat(deadLetters)
                    .as("once, in order")
                    .extracting(deadLetter -> text(deadLetter.key()))
                    .containsExactlyElementsOf(LongStream.concat(
                                    poisoned.stream().mapToLong(id -> id).sorted(), LongStream.of(400))
                            .mapToObj(id -> "{\"id\":" + id + "}")
                            .toList());
            assertThat(deadLetters.subList(0, poisoned.size())).allSatisfy(deadLetter -> {
                assertThat(header(deadLetter, "topic")).isEqualTo(table.topic());
                assertThat(header(deadLetter, "stage")).isEqualTo("VALUE_CONVERTER");
                assertThat(header(deadLetter, "exception.message")).startsWith("cannot convert Struct");
                assertThat(header(deadLetter, "source.offset")).contains("lsn");
                assertThat(text(deadLetter.value()))
                        .contains("after=Struct{id=")
                        .contains("poison");
            });
            ConsumerRecord<byte[], byte[]> large = deadLetters.get(poisoned.size());
            assertThat(header(large, "stage")).isEqualTo("KAFKA_PRODUCE");
            assertThat(header(large, "exception.class.name")).endsWith(".RecordTooLargeException");
            assertThat(large.value()).hasSizeBetween(LIMIT / 2, LIMIT);
            rest.delete(name);
        }
    }

    private static void insert(PostgresFixture table, long first, long last, Set<Long> ids) {
        String list = ids.toString().replaceAll("[\\[\\] ]", "");
        table.execute("INSERT INTO " + table.name() + " SELECT i, CASE WHEN i IN (" + list
                + ") THEN 'poison' ELSE 'note' END FROM generate_series(" + first + ", " + last + ") i");
    }

    private static List<String> expected(Set<Long> poisoned) {
        List<String> expected = new ArrayList<>();
        for (long id = 1; id <= 300; id++) {
            if (!poisoned.contains(id)) {
                expected.add("Struct{id=" + id + ",note=note,origin=shop}");
            }
        }
        expected.add("null");
        return expected;
    }

    private List<String> values(String topic) {
        return cluster.reader().readCommitted(topic).stream()
                .map(record -> text(record.value()))
                .toList();
    }

    private void awaitRecords(String topic, int atLeast) {
        Await.until(
                atLeast + " records in " + topic,
                PATIENCE,
                () -> cluster.reader().readCommitted(topic).size() >= atLeast,
                () -> cluster.reader().readCommitted(topic).size() + " seen");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEachEventToOneOfTheTwoTopicsWhenTheWorkerIsKilled(Mode mode) {
        int count = 20_000;
        Integer[] poison =
                LongStream.range(0, count / 50).mapToObj(i -> (int) (i * 50)).toArray(Integer[]::new);
        List<String> written = Lines.numbered(0, count, poison);
        List<String> sound =
                written.stream().filter(line -> line.startsWith("line")).toList();
        List<String> poisoned =
                written.stream().filter(line -> line.startsWith("poison")).toList();
        FailpointControl failpoints = cluster.failpoints("tried-kill-" + mode.suffix());
        try (ConnectWorker worker = cluster.worker(mode, "tried-kill-" + mode.suffix())
                .jvmOption(failpoints.jvmOption())
                .start()) {
            Lines lines = new Lines(cluster, mode, "tried-kill", worker);
            String dead = lines.name() + ".dead";
            Map<String, String> more = new HashMap<>();
            useTrialConversion(more, dead);
            more.put("key.converter.delegate", Lines.STRING);
            more.put("batch.mode", "fixed");
            more.put("batch.max.records", "200");
            lines.append(written);
            failpoints.arm(Failpoint.BEFORE_POLL_RETURNS, FailpointAction.HALT, 20);
            lines.rest().create(lines.name(), lines.config(DEAD_LETTER_CONVERTER, more));
            cluster.awaitHalt(worker, failpoints);
            assertThat(lines.records(lines.name())).hasSizeLessThan(sound.size());
            worker.restart();
            lines.awaitDelivered(sound.size());
            lines.awaitLast(sound.get(sound.size() - 1));
            // Dead letters have no order relative to events: the last of them may not have arrived yet.
            lines.rest().stop(lines.name());
            lines.rest().awaitState(lines.name(), "STOPPED");

            List<String> deadLetters = lines.records(dead).stream()
                    .map(deadLetter -> text(deadLetter.value()))
                    .toList();
            assertThat(lines.delivered().stream().distinct().toList()).isEqualTo(sound);
            assertThat(deadLetters.stream().distinct().toList()).isEqualTo(poisoned);
            if (mode == Mode.EXACTLY_ONCE) {
                assertThat(lines.delivered()).hasSameSizeAs(sound);
                assertThat(deadLetters).hasSameSizeAs(poisoned);
            }
            lines.rest().delete(lines.name());
        }
    }
}
