package io.microbatch.connect.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.ack.RunPlace;
import io.microbatch.connect.bulk.BulkFormat;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.stripe.ByteStripeSet;
import io.microbatch.connect.stripe.ByteStripeWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From runs in a stripe to records, as the task drains them. */
class RunPackerTest {

    private static final RunPlace A = place("a");
    private static final RunPlace B = place("b");
    private static final RecordMetadata METADATA = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    private final List<EventRecord> records = new ArrayList<>();
    private final List<EventRun> runs = new ArrayList<>();
    private long time;

    private static RunPlace place(String name) {
        return new RunPlace(Map.of("partition", name), "topic-" + name, null, new byte[] {(byte) name.charAt(0)});
    }

    private void publish(ByteStripeWriter<EventRun> stripe, RunPlace place, long offset, String... events) {
        for (String event : events) {
            byte[] value = event.getBytes(StandardCharsets.UTF_8);
            int size = RunPacker.WRITER.frameBytes(value.length);
            int at = stripe.claim(size);
            RunPacker.WRITER.writeFrame(stripe.bytes(), at, value, 0, value.length);
            stripe.written(size, 1);
        }
        EventRun run = new EventRun(place, Map.of("offset", offset), events.length, 1_000 + offset, time++);
        runs.add(run);
        stripe.publish(run);
    }

    private static List<String> all(List<EventRecord> records) {
        return records.stream()
                .flatMap(record -> Unpacked.values(record).stream())
                .toList();
    }

    @Test
    void packsTheRunsOfEachPlaceAndCarriesTheLastOffset() {
        ByteStripeSet<EventRun> stripes = new ByteStripeSet<>(1, 1_024, 256, 64, () -> 0);
        publish(stripes.writer(0), A, 2, "one", "two");
        publish(stripes.writer(0), A, 3, "three");
        publish(stripes.writer(0), B, 9, "other");
        publish(stripes.writer(0), A, 4, "four");
        new PackedRuns(stripes, 500).drain((record, size) -> records.add(record), 100, 10_000);

        assertThat(records).hasSize(2);
        EventRecord first = records.get(0);
        assertThat(Unpacked.values(first)).containsExactly("one", "two", "three", "four");
        assertThat(first.sourcePartition()).isEqualTo(A.sourcePartition());
        assertThat(first.sourceOffset()).isEqualTo(Map.of("offset", 4L));
        assertThat(first.topic()).isEqualTo("topic-a");
        assertThat(first.key()).isEqualTo(A.key());
        assertThat(first.timestamp()).isEqualTo(1_004);
        assertThat(first.events()).isEqualTo(4);
        assertThat(first.arrivalNanos()).as("of the oldest").isZero();
        assertThat(first.sizeBytes()).isEqualTo(((byte[]) first.value()).length);
        assertThat(Unpacked.values(records.get(1))).containsExactly("other");
    }

    @Test
    void settlesAllRunsOfARecordWithItAndNoOthers() {
        ByteStripeSet<EventRun> stripes = new ByteStripeSet<>(1, 1_024, 256, 64, () -> 0);
        publish(stripes.writer(0), A, 1, "one");
        publish(stripes.writer(0), A, 2, "two");
        publish(stripes.writer(0), B, 1, "other");
        new PackedRuns(stripes, 500).drain((record, size) -> records.add(record), 100, 10_000);

        records.get(0).settle(METADATA, 5);
        assertThat(runs.stream().map(EventRun::isSettled)).containsExactly(true, true, false);
        records.get(1).settle(null, 6);
        assertThat(runs.get(2).isSettled()).isTrue();
    }

    /** Random runs, places and drains: every event once, in order, in records within the bound. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void losesNothingWhateverTheRuns(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int maxRecord = random.nextInt(100, 400);
        ByteStripeSet<EventRun> stripes =
                new ByteStripeSet<>(1, 1_024, PackedRuns.maxRunBytes(maxRecord), 256, () -> 0);
        Map<RunPlace, List<String>> published = Map.of(A, new ArrayList<>(), B, new ArrayList<>());
        long offset = 0;
        for (int round = 0; round < 2_000; round++) {
            while (stripes.progress(0).sizeBytes() < random.nextInt(1, 600)) {
                String event = ++offset + "x".repeat(random.nextInt(0, 40));
                RunPlace place = random.nextInt(5) == 0 ? B : A;
                published.get(place).add(event);
                publish(stripes.writer(0), place, offset, event);
            }
            new PackedRuns(stripes, maxRecord)
                    .drain((record, size) -> records.add(record), random.nextInt(1, 50), random.nextInt(1, 2_000));
        }
        new PackedRuns(stripes, maxRecord).drain((record, size) -> records.add(record), 1_000_000, 1_000_000);

        published.forEach((place, events) -> assertThat(all(records.stream()
                        .filter(record -> record.topic().equals(place.topic()))
                        .toList()))
                .isEqualTo(events));
        assertThat(records).allSatisfy(record -> {
            assertThat(((byte[]) record.value()).length).isLessThanOrEqualTo(maxRecord);
            List<String> values = Unpacked.values(record);
            assertThat(values.get(values.size() - 1))
                    .matches(record.sourceOffset().get("offset") + "x*");
        });
        assertThat(records).anySatisfy(record -> assertThat(record.events()).isGreaterThan(1));
    }

    /** Frames of events without a byte. */
    private final byte[] frames = new byte[BulkLimits.DEFAULT_MAX_EVENTS];

    /** A run of as many events, each a frame of one byte. */
    private void take(RunPacker packer, RunPlace place, int events) {
        packer.take(new EventRun(place, Map.of("offset", (long) events), events, 1, 1), frames, 0, events, events);
    }

    @Test
    void fillsARecordToItsLastByteAndNoFurther() {
        int header = BulkFormat.headerBytes(0);
        RunPacker packer = new RunPacker(header + 10, (record, size) -> records.add(record));
        take(packer, A, 4);
        take(packer, A, 6);
        take(packer, A, 1);
        packer.end();
        assertThat(records).extracting(EventRecord::sizeBytes).containsExactly(header + 10, header + 1);
        assertThat(records).extracting(EventRecord::events).containsExactly(10, 1);
    }

    @Test
    void putsNoMoreEventsIntoARecordThanAReaderTakes() {
        RunPacker packer = new RunPacker(4 << 20, (record, size) -> records.add(record));
        take(packer, A, BulkLimits.DEFAULT_MAX_EVENTS - 1);
        take(packer, A, 1);
        take(packer, A, 1);
        packer.end();
        assertThat(records).extracting(EventRecord::events).containsExactly(BulkLimits.DEFAULT_MAX_EVENTS, 1);
        assertThat(Unpacked.events(records.get(0))).hasSize(BulkLimits.DEFAULT_MAX_EVENTS);
    }

    @Test
    void packsOneDrainAfterTheOther() {
        RunPlace third = new RunPlace(Map.of("partition", "a"), "topic-a", 3, null);
        RunPacker packer = new RunPacker(100, (record, size) -> records.add(record));
        take(packer, A, 1);
        packer.end();
        take(packer, third, 2);
        packer.end();
        assertThat(records).extracting(EventRecord::events).containsExactly(1, 2);
        assertThat(records).extracting(EventRecord::kafkaPartition).containsExactly(null, 3);
    }

    @Test
    void leavesRoomForTheHeader() {
        assertThat(PackedRuns.maxRunBytes(1_000)).isEqualTo(1_000 - BulkFormat.headerBytes(0));
    }
}
