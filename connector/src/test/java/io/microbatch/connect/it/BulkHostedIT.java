package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hosted connectors with bulk records: the events are converted, and each keeps its key, timestamp and tombstone. */
@ExtendWith(Cluster.Shared.class)
class BulkHostedIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    BulkHostedIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, String> bulk(String innerKey, String innerValue) {
        Map<String, String> config = new HashMap<>();
        config.put("bulk.enabled", "true");
        config.put("key.converter", Lines.BYTES);
        config.put("value.converter", Lines.BYTES);
        config.put("bulk.inner.key.converter", innerKey);
        config.put("bulk.inner.value.converter", innerValue);
        return config;
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return cluster.reader().readCommitted(topic);
    }

    private List<ConsumerRecord<byte[], byte[]>> events(String topic) {
        return Unpacking.all(records(topic));
    }

    private void awaitEvents(String topic, int atLeast) {
        Await.until(
                atLeast + " events in " + topic,
                PATIENCE,
                () -> events(topic).size() >= atLeast,
                () -> events(topic).size() + " seen");
    }

    private List<String> lines(String topic) {
        cluster.reader().awaitStable(topic, PATIENCE);
        return events(topic).stream()
                .map(event -> new String(event.value(), StandardCharsets.UTF_8))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void packsTheLinesOfAFileAndContinuesAfterThem(Mode mode) {
        Lines lines = new Lines(cluster, mode, "bulk-file");
        List<String> written = new ArrayList<>(Lines.numbered(0, 5_000));
        lines.append(written);
        lines.rest().create(lines.name(), lines.config(Lines.BYTES, bulk(Lines.STRING, Lines.STRING)));
        awaitEvents(lines.name(), 5_000);
        lines.rest().stop(lines.name());
        lines.rest().awaitState(lines.name(), "STOPPED");
        lines.append(Lines.numbered(5_000, 1_000));
        written.addAll(Lines.numbered(5_000, 1_000));
        lines.rest().resume(lines.name());
        awaitEvents(lines.name(), 6_000);

        assertThat(lines(lines.name())).isEqualTo(written);
        assertThat(records(lines.name())).hasSizeLessThan(1_000);
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsAtAnEventThatTheInnerConverterRefuses(Mode mode) {
        Lines lines = new Lines(cluster, mode, "bulk-poison");
        List<String> written = Lines.numbered(0, 1_000, 500);
        lines.append(written);
        lines.rest().create(lines.name(), lines.config(Lines.BYTES, bulk(Lines.STRING, Lines.TEST_CONVERTER)));

        assertThat(lines.rest().awaitTaskFailed(lines.name())).contains("cannot be converted", "VALUE_CONVERTER");
        assertThat(lines(lines.name())).as("the events before it are delivered").isEqualTo(written.subList(0, 500));
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void keepsDeadLettersUnpackedAndContinuesAfterThem(Mode mode) {
        Lines lines = new Lines(cluster, mode, "bulk-dead");
        List<String> written = new ArrayList<>(Lines.numbered(0, 2_000, 0, 500, 501));
        lines.append(written);
        Map<String, String> more = new HashMap<>();
        more.put("bulk.enabled", "true");
        more.put("key.converter", Lines.BYTES);
        more.put("header.converter", Lines.BYTES);
        more.put("deadletter.topic", lines.name() + ".dead");
        more.put("deadletter.key.converter", Lines.STRING);
        more.put("deadletter.value.converter", Lines.TEST_CONVERTER);
        lines.rest().create(lines.name(), lines.config(Lines.BYTES, more));
        awaitEvents(lines.name(), 1_997);

        written.removeIf(line -> line.startsWith("poison"));
        assertThat(lines(lines.name())).isEqualTo(written);
        List<ConsumerRecord<byte[], byte[]>> deadLetters = records(lines.name() + ".dead");
        assertThat(deadLetters.stream().map(deadLetter -> new String(deadLetter.value(), StandardCharsets.UTF_8)))
                .containsExactly("poison 0", "poison 500", "poison 501");
        assertThat(deadLetters)
                .allSatisfy(deadLetter -> assertThat(deadLetter.headers().lastHeader("__connect.errors.stage"))
                        .isNotNull());
        lines.rest().delete(lines.name());
    }

    @Test
    void deliversEveryChangeOfATableOnceWithItsTombstoneInOneRecord() throws Exception {
        String name = "pg_bulk";
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            Map<String, String> config = new HashMap<>(table.hosted(cluster));
            config.putAll(
                    bulk("org.apache.kafka.connect.json.JsonConverter", "org.apache.kafka.connect.json.JsonConverter"));
            config.put("bulk.inner.key.converter.schemas.enable", "false");
            config.put("bulk.inner.value.converter.schemas.enable", "false");
            // So short that a record could separate a delete from its tombstone.
            config.put("bulk.max.bytes", "5000");
            table.insert(1, 200);
            cluster.rest(Mode.EXACTLY_ONCE).create(name, config);
            awaitEvents(table.topic(), 200);
            long before = table.currentLsn();
            table.execute("DELETE FROM " + name + " WHERE id > 100");
            awaitEvents(table.topic(), 200 + 2 * 100);
            table.insert(1_000, 1_000);
            Await.until(
                    "the slot to be confirmed past " + before,
                    PATIENCE,
                    () -> table.confirmedLsn() > before,
                    () -> "slot at " + table.confirmedLsn());
            awaitEvents(table.topic(), 401);

            List<String> expected = new ArrayList<>();
            for (int id = 1; id <= 200; id++) {
                expected.add("r " + id);
            }
            for (int id = 101; id <= 200; id++) {
                expected.add("d " + id);
                expected.add("tombstone " + id);
            }
            expected.add("c 1000");
            List<ConsumerRecord<byte[], byte[]>> records = records(table.topic());
            assertThat(changes(records)).isEqualTo(expected);
            assertThat(records).hasSizeLessThan(150).allSatisfy(record -> {
                String first = changes(List.of(record)).get(0);
                assertThat(first).as("no record begins with a tombstone").doesNotStartWith("tombstone");
            });
            cluster.rest(Mode.EXACTLY_ONCE).delete(name);
        }
    }

    private List<String> changes(List<ConsumerRecord<byte[], byte[]>> records) throws IOException {
        List<String> changes = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> event : Unpacking.all(records)) {
            long id = json.readTree(event.key()).get("id").asLong();
            JsonNode value = event.value() == null ? null : json.readTree(event.value());
            changes.add((value == null ? "tombstone" : value.get("op").asText()) + " " + id);
        }
        return changes;
    }
}
