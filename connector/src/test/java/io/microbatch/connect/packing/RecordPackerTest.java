package io.microbatch.connect.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.bulk.BulkEvent;
import io.microbatch.connect.bulk.BulkFormat;
import io.microbatch.connect.bulk.BulkLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packs records whose key and value are bytes into bulk records. */
class RecordPackerTest {

    private static final RecordMetadata METADATA = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    private final List<EventRecord> records = new ArrayList<>();

    private static EventRecord event(String partition, long offset, String key, String value, Long timestampMs) {
        SourceRecord record = new SourceRecord(
                Map.of("partition", partition),
                Map.of("offset", offset),
                "topic",
                null,
                null,
                bytes(key),
                null,
                bytes(value),
                timestampMs);
        return new EventRecord(record, 100, offset);
    }

    private static EventRecord event(long offset, String value) {
        return event("p", offset, null, value, null);
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private void pack(int maxRecordBytes, List<EventRecord> events) {
        RecordPacker packer = new RecordPacker(maxRecordBytes, "dead", (record, size) -> records.add(record));
        events.forEach(event -> packer.take(event, 100));
        packer.end();
    }

    private List<List<String>> values() {
        return records.stream().map(Unpacked::values).toList();
    }

    @Test
    void keepsKeyTimestampAndTombstoneOfEachEvent() {
        pack(
                1_000,
                List.of(
                        event("p", 1, "k1", "v1", 1_700_000_000_000L),
                        event("p", 2, null, "v2", null),
                        event("p", 3, "k3", null, 1_600_000_000_000L)));

        assertThat(records).hasSize(1);
        EventRecord packed = records.get(0);
        assertThat(Unpacked.events(packed))
                .containsExactly(
                        new BulkEvent(bytes("k1"), 1_700_000_000_000L, bytes("v1")),
                        new BulkEvent(null, BulkFormat.NO_TIMESTAMP, bytes("v2")),
                        new BulkEvent(bytes("k3"), 1_600_000_000_000L, null));
        assertThat(packed.sourceOffset()).isEqualTo(Map.of("offset", 3L));
        assertThat(packed.timestamp()).as("the newest").isEqualTo(1_700_000_000_000L);
        assertThat(Unpacked.text((byte[]) packed.key())).isEqualTo("{partition=p}");
        assertThat(packed.events()).isEqualTo(3);
        assertThat(packed.arrivalNanos()).isEqualTo(1);
    }

    @Test
    void treatsKafkasMarkerForNoTimestampAsNone() {
        pack(1_000, List.of(event("p", 1, null, "a", -1L), event("p", 2, null, "b", 1_700_000_000_000L)));
        assertThat(Unpacked.events(records.get(0)))
                .containsExactly(
                        new BulkEvent(null, BulkFormat.NO_TIMESTAMP, bytes("a")),
                        new BulkEvent(null, 1_700_000_000_000L, bytes("b")));
        records.clear();
        pack(1_000, List.of(event("p", 1, null, "abc", -1L)));
        assertThat((byte[]) records.get(0).value()).hasSize(BulkFormat.headerBytes(0) + 1 + 3);
        assertThat(records.get(0).timestamp()).isNull();
    }

    @Test
    void usesNoBytesForFieldsThatNoEventHas() {
        pack(1_000, List.of(event(1, "abc")));
        assertThat((byte[]) records.get(0).value()).hasSize(BulkFormat.headerBytes(0) + 1 + 3);
    }

    @Test
    void encodesTimestampsRelativeToTheFirst() {
        pack(
                1_000,
                List.of(event("p", 1, null, "abc", 1_700_000_000_000L), event("p", 2, null, "de", 1_700_000_000_009L)));
        // The length of a frame, the time difference, and the value.
        assertThat((byte[]) records.get(0).value()).hasSize(BulkFormat.MAX_HEADER_BYTES + 1 + 1 + 3 + 1 + 1 + 2);
    }

    @Test
    void fillsARecordByTheMaximumSizeOfItsEvents() {
        int maxBytesOfOne = BulkFormat.MAX_FRAME_OVERHEAD_BYTES + 1;
        List<EventRecord> events = List.of(event(1, "a"), event(2, "b"));
        pack(BulkFormat.MAX_HEADER_BYTES + 2 * maxBytesOfOne, events);
        assertThat(values()).containsExactly(List.of("a", "b"));
        records.clear();
        pack(BulkFormat.MAX_HEADER_BYTES + 2 * maxBytesOfOne - 1, events);
        assertThat(values()).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void limitsARecordToTheEventsThatAReaderAccepts() {
        EventRecord event = event(1, "");
        pack(1 << 28, Collections.nCopies(BulkLimits.DEFAULT_MAX_EVENTS + 1, event));
        assertThat(records).extracting(EventRecord::events).containsExactly(BulkLimits.DEFAULT_MAX_EVENTS, 1);
    }

    private static EventRecord onPartition(Integer kafkaPartition, Map<String, ?> sourcePartition, long offset) {
        SourceRecord record = new SourceRecord(
                sourcePartition, Map.of("offset", offset), "topic", kafkaPartition, null, null, null, bytes("v"));
        return new EventRecord(record, 100, offset);
    }

    @Test
    void endsARecordWhereTheKafkaPartitionChanges() {
        Map<String, ?> source = Map.of("partition", "p");
        pack(1_000, List.of(onPartition(0, source, 1), onPartition(1, source, 2), onPartition(1, source, 3)));
        assertThat(records).extracting(EventRecord::kafkaPartition).containsExactly(0, 1);
        assertThat(records).extracting(EventRecord::events).containsExactly(1, 2);
    }

    @Test
    void usesTheSameKeyForEqualSourcePartitionsAndNoneForNone() {
        Map<String, String> there = new LinkedHashMap<>();
        there.put("server", "s");
        there.put("database", "d");
        Map<String, String> back = new LinkedHashMap<>();
        back.put("database", "d");
        back.put("server", "s");
        pack(1_000, List.of(onPartition(null, there, 1), onPartition(null, null, 2)));
        pack(1_000, List.of(onPartition(null, back, 3)));
        assertThat(records.get(0).key()).isEqualTo(records.get(2).key());
        assertThat(records.get(1).key()).isNull();
    }

    @Test
    void reportsTheSizeOfEachRecord() {
        List<Integer> sizes = new ArrayList<>();
        RecordPacker packer = new RecordPacker(1_000, "dead", (record, size) -> sizes.add(size));
        packer.take(event(1, "abc"), 100);
        packer.end();
        assertThat(sizes).containsExactly(BulkFormat.headerBytes(0) + 1 + 3);
    }

    @Test
    void packsAlternatingSourcePartitionsSeparately() {
        pack(
                1_000,
                List.of(
                        event("a", 1, null, "1", null),
                        event("b", 1, null, "2", null),
                        event("a", 2, null, "3", null),
                        event("b", 2, null, "4", null)));
        assertThat(values()).containsExactly(List.of("1", "3"), List.of("2", "4"));
    }

    @Test
    void endsARecordWhereTheTopicChangesSoThatNoOffsetSkipsAnEvent() {
        EventRecord elsewhere = event(2, "2");
        SourceRecord moved = new SourceRecord(
                elsewhere.sourcePartition(), elsewhere.sourceOffset(), "other", null, null, bytes("2"));
        pack(1_000, List.of(event(1, "1"), new EventRecord(moved, 100, 2), event(3, "3")));
        assertThat(values()).containsExactly(List.of("1"), List.of("2"), List.of("3"));
        assertThat(records).extracting(EventRecord::topic).containsExactly("topic", "other", "topic");
    }

    @Test
    void startsANewRecordForARunThatDoesNotFit() {
        String value = "x".repeat(30);
        pack(200, List.of(event(1, value), event(2, value), event(3, "a" + value), event(3, "b" + value)));
        assertThat(values()).containsExactly(List.of(value, value), List.of("a" + value, "b" + value));
        assertThat(records.get(0).sourceOffset()).isEqualTo(Map.of("offset", 2L));
    }

    @Test
    void splitsOnlyARunThatIsLongerThanARecord() {
        String value = "x".repeat(60);
        pack(200, List.of(event(1, "first"), event(2, value), event(2, value), event(2, value), event(3, "last")));
        assertThat(values()).containsExactly(List.of("first"), List.of(value, value), List.of(value, "last"));
    }

    @Test
    void splitsALongRunAfterAFinishedRecordOnlyWhereARecordIsFull() {
        String value = "x".repeat(60);
        EventRecord dead = new EventRecord(event(3, "c"), deadLetter(3), 100, 3);
        pack(200, List.of(event(1, "a"), event(2, "b"), dead, event(4, value), event(4, value), event(4, value)));
        assertThat(records.stream()
                        .filter(record -> !record.topic().equals("dead"))
                        .map(Unpacked::values))
                .containsExactly(List.of("a", "b"), List.of(value, value), List.of(value));
    }

    private static SourceRecord deadLetter(long offset) {
        return new SourceRecord(
                Map.of("partition", "p"),
                Map.of("offset", offset),
                "dead",
                null,
                null,
                null,
                null,
                bytes("deadLetter"),
                null);
    }

    @Test
    void sendsAnEventThatIsLongerThanARecordAlone() {
        String large = "x".repeat(500);
        pack(200, List.of(event(1, "a"), event(2, large), event(3, "b")));
        assertThat(values()).containsExactly(List.of("a"), List.of(large), List.of("b"));
    }

    @Test
    void keepsDeadLettersUnchangedAndInTheirPlace() {
        EventRecord dead = new EventRecord(event(2, "poison"), deadLetter(2), 100, 2);
        pack(1_000, List.of(event(1, "a"), dead, event(3, "b")));
        assertThat(records.get(1)).isSameAs(dead);
        assertThat(records)
                .extracting(EventRecord::sourceOffset)
                .containsExactly(Map.of("offset", 1L), Map.of("offset", 2L), Map.of("offset", 3L));
    }

    @Test
    void settlesEveryEventWithItsRecord() {
        List<EventRecord> events = List.of(event(1, "a"), event(2, "b"));
        pack(1_000, events);
        assertThat(events).noneMatch(EventRecord::isSettled);
        records.get(0).settle(METADATA, 77);
        assertThat(events).allMatch(EventRecord::isDelivered);
        assertThat(events).allSatisfy(event -> assertThat(event.settledNanos()).isEqualTo(77));
        assertThat(events).allSatisfy(event -> assertThat(event.metadata()).isSameAs(METADATA));
    }

    @Test
    void refusesValuesThatAreNotBytes() {
        SourceRecord text = new SourceRecord(Map.of(), Map.of(), "topic", null, "text");
        assertThatThrownBy(() -> pack(1_000, List.of(new EventRecord(text, 1, 1))))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("bulk.inner");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void losesNothingAndSplitsNoRunThatFits(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int maxRecord = random.nextInt(150, 600);
        List<EventRecord> events = new ArrayList<>();
        long offset = 0;
        for (int i = 0; i < 3_000; i++) {
            offset += random.nextInt(3) == 0 ? 0 : 1;
            events.add(
                    event(random.nextInt(40) == 0 ? "b" : "a", offset, null, i + "y".repeat(random.nextInt(30)), null));
        }
        pack(maxRecord, events);

        assertThat(records)
                .allSatisfy(
                        record -> assertThat(((byte[]) record.value()).length).isLessThanOrEqualTo(maxRecord));
        for (String partition : List.of("a", "b")) {
            Map<String, String> source = Map.of("partition", partition);
            List<EventRecord> brought = events.stream()
                    .filter(event -> event.sourcePartition().equals(source))
                    .toList();
            List<EventRecord> packed = records.stream()
                    .filter(record -> record.sourcePartition().equals(source))
                    .toList();
            assertThat(packed.stream().flatMap(record -> Unpacked.values(record).stream()))
                    .containsExactlyElementsOf(brought.stream()
                            .map(event -> Unpacked.text((byte[]) event.value()))
                            .toList());
            int begins = 0;
            for (EventRecord record : packed) {
                boolean torn = begins > 0 && EventRecord.sameOffset(brought.get(begins - 1), brought.get(begins));
                assertThat(torn && fits(brought, brought.get(begins), maxRecord))
                        .as("a record begins inside a run that fits into one")
                        .isFalse();
                begins += record.events();
                assertThat(record.sourceOffset())
                        .isEqualTo(brought.get(begins - 1).sourceOffset());
            }
        }
    }

    /** Whether the run of this event is no longer than a record. */
    private static boolean fits(List<EventRecord> events, EventRecord event, int maxRecord) {
        int bytes = events.stream()
                .filter(other -> EventRecord.sameOffset(other, event))
                .mapToInt(other -> BulkFormat.MAX_FRAME_OVERHEAD_BYTES + ((byte[]) other.value()).length)
                .sum();
        return BulkFormat.MAX_HEADER_BYTES + bytes <= maxRecord;
    }
}
