package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Reads back written records, with every way to write and to read. The seed is the repetition. */
class RoundTripTest {

    @RepeatedTest(500)
    void readsTheBuiltRecords(RepetitionInfo repetition) {
        RandomRecords records = new RandomRecords(repetition.getCurrentRepetition());
        int flags = records.flags();
        BulkWriter writer = records.writer(flags);
        List<BulkEvent> events = records.events(flags);
        BulkRecordBuilder builder = new BulkRecordBuilder(writer, 1 << 22);
        int expectedBytes = writer.headerBytes();
        for (BulkEvent event : events) {
            assertThat(builder.append(event.key(), event.timestampMs(), event.value()))
                    .isTrue();
            expectedBytes += writer.frameBytes(length(event.key()), event.timestampMs(), length(event.value()));
            assertThat(builder.sizeBytes()).isEqualTo(expectedBytes);
        }
        byte[] record = builder.build();

        BulkReader reader = new BulkReader(BulkLimits.DEFAULT).read(record);
        assertThat(reader.flags()).isEqualTo(flags);
        assertThat(reader.count()).isEqualTo(events.size());
        assertThat(reader.toList()).isEqualTo(events);
        assertThat(reader.next()).isFalse();
        assertThat(reader.remaining()).isZero();
    }

    @RepeatedTest(100)
    void readsFramesThatWereCopiedAfterAHeaderInTheMiddleOfAnArray(RepetitionInfo repetition) {
        RandomRecords records = new RandomRecords(-repetition.getCurrentRepetition());
        int flags = records.flags();
        BulkWriter writer = records.writer(flags);
        List<BulkEvent> events = records.events(flags);
        byte[] frames = new byte[1 << 20];
        int framed = 0;
        for (BulkEvent event : events) {
            framed = writer.writeFrame(frames, framed, event.key(), event.timestampMs(), event.value());
        }
        int start = 7;
        byte[] target = new byte[framed + 100];
        Arrays.fill(target, (byte) 0xB5);
        System.arraycopy(frames, 0, target, start + writer.headerBytes(), framed);
        int end = start + writer.headerBytes() + framed;
        writer.finish(target, start, end, events.size());

        BulkReader reader = new BulkReader(BulkLimits.DEFAULT);
        assertThat(reader.read(target, start, end - start).toList()).isEqualTo(events);
        ByteBuffer heap = ByteBuffer.wrap(target, 2, end - 2).slice().position(start - 2);
        assertThat(reader.read(heap.limit(end - 2)).toList()).isEqualTo(events);
        assertThat(heap.position()).isEqualTo(start - 2);
        ByteBuffer direct = ByteBuffer.allocateDirect(end).put(target, 0, end).position(start);
        assertThat(reader.read(direct).toList()).isEqualTo(events);
        assertThat(reader.read(heap.asReadOnlyBuffer()).toList()).isEqualTo(events);
    }

    @Test
    void writesAPartOfAnArrayAsAnEventWithoutKeyAndTimestamp() {
        byte[] source = {9, 1, 2, 3, 9};
        for (int flags : new int[] {0, BulkFormat.FLAG_KEYS, BulkFormat.FLAG_NULL_VALUES, BulkFormat.ALL_FLAGS}) {
            BulkWriter writer = BulkWriter.of(flags);
            byte[] record = new byte[100];
            int end = writer.writeFrame(record, writer.headerBytes(), source, 1, 3);
            assertThat(end - writer.headerBytes()).isEqualTo(writer.frameBytes(3));
            writer.finish(record, 0, end, 1);
            assertThat(new BulkReader(BulkLimits.DEFAULT).read(record, 0, end).toList())
                    .containsExactly(new BulkEvent(null, BulkFormat.NO_TIMESTAMP, new byte[] {1, 2, 3}));
        }
    }

    @Test
    void buildsRecordsThatAreFullToTheLastByte() {
        BulkWriter writer = BulkWriter.of(0);
        int maxBytes = writer.headerBytes() + 3 * writer.frameBytes(1000);
        BulkRecordBuilder builder = new BulkRecordBuilder(writer, maxBytes);
        byte[] value = new byte[1000];
        for (int record = 0; record < 2; record++) {
            for (int i = 0; i < 3; i++) {
                assertThat(builder.append(null, BulkFormat.NO_TIMESTAMP, value)).isTrue();
            }
            assertThat(builder.append(null, BulkFormat.NO_TIMESTAMP, new byte[0]))
                    .isFalse();
            assertThat(builder.count()).isEqualTo(3);
            assertThat(builder.build()).hasSize(maxBytes);
        }
        assertThat(builder.append(null, BulkFormat.NO_TIMESTAMP, new byte[maxBytes]))
                .isFalse();
    }

    @Test
    void buildsNoRecordOfMoreEventsThanReadersTakeByDefault() {
        BulkRecordBuilder builder = new BulkRecordBuilder(BulkWriter.of(0), 2 * BulkLimits.DEFAULT_MAX_EVENTS);
        byte[] value = {};
        for (int i = 0; i < BulkLimits.DEFAULT_MAX_EVENTS; i++) {
            if (!builder.append(null, BulkFormat.NO_TIMESTAMP, value)) {
                throw new AssertionError("no room for event " + i);
            }
        }
        int fullBytes = builder.sizeBytes();
        assertThat(builder.append(null, BulkFormat.NO_TIMESTAMP, value)).isFalse();
        assertThat(builder.sizeBytes()).as("unchanged").isEqualTo(fullBytes);
        BulkReader reader = new BulkReader(BulkLimits.DEFAULT).read(builder.build());
        assertThat(reader.count()).isEqualTo(BulkLimits.DEFAULT_MAX_EVENTS);
        assertThat(builder.append(null, BulkFormat.NO_TIMESTAMP, value))
                .as("the next record")
                .isTrue();
    }

    @Test
    void buildsNoRecordOfMoreBytesThanReadersTakeByDefault() {
        BulkWriter writer = BulkWriter.of(0);
        assertThat(new BulkRecordBuilder(writer, BulkLimits.DEFAULT_MAX_RECORD_BYTES).count())
                .isZero();
        assertThatThrownBy(() -> new BulkRecordBuilder(writer, BulkLimits.DEFAULT_MAX_RECORD_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("104857601", "104857600");
        assertThatThrownBy(() -> new BulkRecordBuilder(writer, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rejectsEventsThatTheFlagsDoNotAllow() {
        BulkWriter writer = BulkWriter.of(0);
        byte[] target = new byte[100];
        byte[] some = {1};
        assertThatThrownBy(() -> writer.writeFrame(target, 0, some, BulkFormat.NO_TIMESTAMP, some))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FLAG_KEYS");
        assertThatThrownBy(() -> writer.writeFrame(target, 0, null, 1, some))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FLAG_TIMESTAMPS");
        assertThatThrownBy(() -> writer.writeFrame(target, 0, null, BulkFormat.NO_TIMESTAMP, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FLAG_NULL_VALUES");
        assertThatThrownBy(() -> writer.frameBytes(Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        BulkWriter timed = BulkWriter.of(BulkFormat.FLAG_TIMESTAMPS);
        assertThatThrownBy(() -> timed.frameBytes(BulkFormat.NULL_LENGTH, -2, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BulkWriter.of(8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BulkWriter.of(0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.finish(target, 0, 20, 9)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void staysWithinTheDeclaredOverhead() {
        BulkWriter writer = BulkWriter.of(BulkFormat.ALL_FLAGS, Long.MAX_VALUE);
        int keyBytes = 1 << 29;
        int valueBytes = 1 << 29;
        assertThat(writer.frameBytes(keyBytes, BulkFormat.NO_TIMESTAMP, valueBytes) - keyBytes - valueBytes)
                .isEqualTo(BulkFormat.MAX_FRAME_OVERHEAD_BYTES);
        assertThat(writer.headerBytes()).isEqualTo(BulkFormat.MAX_HEADER_BYTES);
    }

    private static int length(byte[] bytes) {
        return bytes == null ? BulkFormat.NULL_LENGTH : bytes.length;
    }
}
