package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** For any bytes, reading returns events or throws the declared exception, and allocates within the limits. */
class MalformedTest {

    static List<Golden> goldens() {
        return Golden.all();
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void rejectsARecordThatIsCutAnywhere(Golden golden) {
        byte[] record = golden.record();
        for (int length = 0; length < record.length; length++) {
            byte[] cut = Arrays.copyOf(record, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(BulkFormatException.class);
            assertThatThrownBy(() -> read(Damaged.resealed(cut))).isInstanceOf(BulkFormatException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void rejectsARecordWithAFurtherByte(Golden golden) {
        byte[] longer = Arrays.copyOf(golden.record(), golden.record().length + 1);
        assertThatThrownBy(() -> read(longer))
                .isInstanceOf(BulkFormatException.class)
                .hasMessageContaining("checksum");
        assertThatThrownBy(() -> read(Damaged.resealed(longer)))
                .isInstanceOf(BulkFormatException.class)
                .hasMessageContaining("1 bytes after");
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void rejectsARecordWithAnyBitFlipped(Golden golden) {
        for (int bit = 0; bit < golden.record().length * 8; bit++) {
            byte[] flipped = Damaged.flipped(golden.record(), bit);
            assertThatThrownBy(() -> read(flipped)).isInstanceOf(BulkFormatException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void returnsEventsOrThrowsTheExceptionUnderACorrectChecksum(Golden golden) {
        for (int bit = 0; bit < golden.record().length * 8; bit++) {
            readsOrRefuses(Damaged.resealed(Damaged.flipped(golden.record(), bit)));
        }
    }

    @Test
    void returnsEventsOrThrowsTheExceptionForNoiseAfterACorrectHeader() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] record = new byte[BulkFormat.MAX_HEADER_BYTES + random.nextInt(60)];
            random.nextBytes(record);
            int flags = random.nextInt(BulkFormat.ALL_FLAGS + 1);
            BulkWriter.of(flags, random.nextLong(Long.MAX_VALUE)).finish(record, 0, record.length, 0);
            int frames = record.length - BulkFormat.headerBytes(flags);
            record[BulkFormat.COUNT_OFFSET + 3] = (byte) random.nextInt(frames + 2);
            readsOrRefuses(Damaged.resealed(record));
        }
    }

    private static void readsOrRefuses(byte[] record) {
        assertThatCode(() -> {
                    try {
                        List<BulkEvent> events = read(record);
                        assertThat(events).allMatch(event -> event.timestampMs() >= BulkFormat.NO_TIMESTAMP);
                    } catch (BulkFormatException e) {
                        assertThat(e.getMessage()).isNotBlank();
                    }
                })
                .as(() -> HexFormat.of().formatHex(record))
                .doesNotThrowAnyException();
    }

    /** Wrong fields under a correct checksum, each with a part of its message. */
    @ParameterizedTest
    @CsvSource({
        "00620100 00000000 00000000, does not begin",
        "b5630100 00000000 00000000, does not begin",
        "b5620000 00000000 00000000, version 0",
        "b5620200 00000000 00000000, version 2",
        "b562ff00 00000000 00000000, version 255",
        "b5620108 00000000 00000000, flags 8",
        "b5620180 00000000 00000000, flags 128",
        "b5620102 00000000 00000000, too few for a header of 20",
        "b5620102 00000000 00000000 ffffffffffffffff, before 1970",
        "b5620100 00000000 00000001, 1 events cannot be in 0 bytes",
        "b5620100 00000000 ffffffff 00, 4294967295 events cannot be in 1 bytes",
        "b5620107 00000000 00000002 0000000000000000 00000000000000, 2 events cannot be in 7 bytes",
        "b5620100 00000000 00000001 01, event 0 has a length of 1 bytes but 0 are left",
        "b5620100 00000000 00000002 0002, event 1 has a length of 2 bytes but 0 are left",
        "b5620100 00000000 00000003 0107 0107 01, event 2 has a length of 1 bytes but 0 are left",
        "b5620100 00000000 00000003 0107 0107 0107 07, 1 bytes after the last of 3",
        "b5620100 00000000 00000001 80, event 0 is not a frame",
        "b5620100 00000000 00000001 ffffffffff00, event 0 is not a frame",
        "b5620100 00000000 00000001 ffffffff7f, event 0 has a length of 34359738367 bytes",
        "b5620100 00000000 00000001 ffffffff0f, event 0 has a length of 4294967295 bytes",
        "b5620101 00000000 00000001 0103, event 0 has a length of 2 bytes but 0 are left",
        "b5620101 00000000 00000001 0180, event 0 is not a frame",
        "b5620101 00000000 00000001 0000, event 0 is not a frame",
        "b5620104 00000000 00000001 0000, event 0 is not a frame",
        "b5620104 00000000 00000001 0102, event 0 has an invalid presence byte",
        "b5620104 00000000 00000001 020000, event 0 has an invalid presence byte",
        "b5620102 00000000 00000001 0000000000000000 0103, event 0 has a timestamp out of range",
        "b5620102 00000000 00000001 7fffffffffffffff 0102, event 0 has a timestamp out of range",
        "b5620102 00000000 00000001 0000000000000000 0affffffffffffffffff02, event 0 is not a frame",
    })
    void describesTheError(String hex, String message) {
        byte[] record = Damaged.resealed(HexFormat.of().parseHex(hex.replace(" ", "")));
        assertThatThrownBy(() -> read(record))
                .isInstanceOf(BulkFormatException.class)
                .hasMessageContaining(message);
    }

    @Test
    void acceptsLengthsThatAreLongerThanNeeded() {
        byte[] record =
                Damaged.resealed(HexFormat.of().parseHex("b5620100" + "00000000" + "00000001" + "8180808000" + "07"));
        assertThat(read(record)).containsExactly(new BulkEvent(null, BulkFormat.NO_TIMESTAMP, new byte[] {7}));
    }

    @Test
    void staysBeforeAMalformedFrame() {
        byte[] record = Damaged.resealed(HexFormat.of().parseHex("b5620100" + "00000000" + "00000002" + "0107" + "05"));
        BulkReader reader = new BulkReader(BulkLimits.DEFAULT).read(record);
        assertThat(reader.next()).isTrue();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(reader::next)
                    .isInstanceOf(BulkFormatException.class)
                    .hasMessageContaining("event 1 has a length of 5 bytes but 0 are left");
        }
    }

    @Test
    void hasNoEventsOfARejectedRecord() {
        BulkReader reader =
                new BulkReader(BulkLimits.DEFAULT).read(Golden.of("v1-plain").record());
        assertThatThrownBy(() -> reader.read(new byte[20])).isInstanceOf(BulkFormatException.class);
        assertThat(reader.next()).isFalse();
    }

    @Test
    void keepsItsLimits() {
        byte[] record = Golden.of("v1-plain").record();
        int events = Golden.of("v1-plain").events().size();
        assertThat(new BulkReader(new BulkLimits(record.length, events))
                        .read(record)
                        .toList())
                .hasSize(events);
        assertThatThrownBy(() -> new BulkReader(new BulkLimits(record.length - 1, events)).read(record))
                .isInstanceOf(BulkFormatException.class)
                .hasMessageContaining("the limit is " + (record.length - 1));
        assertThatThrownBy(() -> new BulkReader(new BulkLimits(record.length, events - 1)).read(record))
                .isInstanceOf(BulkFormatException.class)
                .hasMessageContaining("the limit is " + (events - 1));
    }

    /** Many empty events use the most heap per byte of the record. */
    @Test
    void allocatesNoMoreThanTheLimitsAllow() {
        int count = 100_000;
        BulkLimits limits = new BulkLimits(BulkFormat.MAX_HEADER_BYTES + count, count);
        byte[] many = new byte[BulkFormat.MIN_HEADER_BYTES + count];
        BulkWriter.of(0).finish(many, 0, many.length, count);
        long cap = limits.maxRecordBytes() + (long) count * BulkLimits.HEAP_BYTES_PER_EVENT;
        assertThat(allocatedBytes(() -> new BulkReader(limits).read(many).toList()))
                .isBetween((long) count, cap);

        byte[] tooMany = new byte[2 * many.length];
        BulkWriter.of(0).finish(tooMany, 0, tooMany.length, tooMany.length - BulkFormat.MIN_HEADER_BYTES);
        BulkLimits roomier = new BulkLimits(tooMany.length, count);
        for (Runnable refused : List.<Runnable>of(
                () -> refuse(limits, tooMany),
                () -> refuse(roomier, tooMany),
                () -> refuse(limits, Damaged.flipped(many, 8 * 5)),
                () -> refuse(limits, Damaged.resealed(HexFormat.of().parseHex("b5620100000000007fffffff00"))),
                () -> refuse(
                        limits,
                        Damaged.resealed(HexFormat.of().parseHex("b562010000000000" + "00000001ffffffff07"))))) {
            refused.run();
            assertThat(allocatedBytes(refused)).isLessThan(cap / 2);
        }
    }

    private static void refuse(BulkLimits limits, byte[] record) {
        assertThatThrownBy(() -> new BulkReader(limits).read(record).toList()).isInstanceOf(BulkFormatException.class);
    }

    private static long allocatedBytes(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static List<BulkEvent> read(byte[] record) {
        return new BulkReader(BulkLimits.DEFAULT).read(record).toList();
    }
}
