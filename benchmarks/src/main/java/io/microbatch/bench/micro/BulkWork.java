package io.microbatch.bench.micro;

import io.microbatch.connect.bulk.BulkCursorDeserializer;
import io.microbatch.connect.bulk.BulkDeserializer;
import io.microbatch.connect.bulk.BulkEvent;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReader;
import io.microbatch.connect.bulk.BulkWriter;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Records of random events, of one size or of sizes around it, and what can be done with them. Each way answers with
 * the sum of its events' first bytes, so that none can be optimised away or skip an event unnoticed; copy and checksum,
 * which know of no events, answer with the same where the last byte or the checksum is right.
 */
final class BulkWork {

    /** The most bytes of a record. */
    private static final int MAX_RECORD_BYTES = 900_000;

    static final int CACHED_RECORDS = 1;
    /** 115 MB. */
    static final int RECORDS_BEYOND_CACHE = 128;

    private static final BulkWriter WRITER = BulkWriter.of(0);

    private final int eventCount;
    private final int[] froms;
    private final int recordBytes;
    private final byte[][] events;
    private final byte[][] records;
    private final long[] sums;
    private final long[] checksums;
    private final byte[] target;
    private final CRC32C crc = new CRC32C();
    private final BulkReader reader = new BulkReader(BulkLimits.DEFAULT);
    private final BulkCursorDeserializer cursors = new BulkCursorDeserializer();
    private final BulkDeserializer lists = new BulkDeserializer();
    private final RecordHeaders headers = new RecordHeaders();

    /**
     * Makes the records.
     *
     * @param spreadBytes how far an event's size may be off {@code eventBytes}; no frame's length takes more bytes for
     *     it
     */
    BulkWork(int recordCount, int eventBytes, int spreadBytes) {
        this.eventCount = eventCount(eventBytes);
        this.recordBytes = recordBytes(eventBytes);
        target = new byte[recordBytes];
        events = new byte[recordCount][eventCount * eventBytes];
        records = new byte[recordCount][recordBytes];
        sums = new long[recordCount];
        checksums = new long[recordCount];
        Random random = new Random(1);
        froms = froms(random, eventBytes, spreadBytes);
        for (int record = 0; record < recordCount; record++) {
            random.nextBytes(events[record]);
            for (int i = 0; i < eventCount; i++) {
                sums[record] += events[record][froms[i]];
            }
            long ignored = encode(record);
            System.arraycopy(target, 0, records[record], 0, recordBytes);
            crc.reset();
            crc.update(target, 0, recordBytes);
            checksums[record] = crc.getValue();
        }
    }

    /**
     * Where each event begins and the last one ends. By pairs of one longer and one shorter, all are as long together.
     */
    private int[] froms(Random random, int eventBytes, int spreadBytes) {
        int[] begins = new int[eventCount + 1];
        int off = 0;
        for (int i = 0; i < eventCount; i++) {
            boolean inPair = i < (eventCount & ~1);
            off = !inPair ? 0 : i % 2 == 1 ? -off : random.nextInt(2 * spreadBytes + 1) - spreadBytes;
            begins[i + 1] = begins[i] + eventBytes + off;
        }
        return begins;
    }

    /** How many events of this size a record has. */
    static int eventCount(int eventBytes) {
        return (MAX_RECORD_BYTES - WRITER.headerBytes()) / WRITER.frameBytes(eventBytes);
    }

    /** The bytes of such a record. */
    static int recordBytes(int eventBytes) {
        return WRITER.headerBytes() + eventCount(eventBytes) * WRITER.frameBytes(eventBytes);
    }

    /** What a way must answer that sees every event. */
    long expected(int record) {
        return sums[record];
    }

    long copy(int record) {
        System.arraycopy(records[record], 0, target, 0, recordBytes);
        boolean copied = target[recordBytes - 1] == records[record][recordBytes - 1];
        return copied ? sums[record] : Long.MIN_VALUE;
    }

    long checksum(int record) {
        crc.reset();
        crc.update(records[record], 0, recordBytes);
        return crc.getValue() == checksums[record] ? sums[record] : Long.MIN_VALUE;
    }

    long encode(int record) {
        byte[] source = events[record];
        int end = WRITER.headerBytes();
        long sum = 0;
        for (int i = 0; i < eventCount; i++) {
            int sizeBytes = froms[i + 1] - froms[i];
            end = WRITER.writeFrame(target, end, source, froms[i], sizeBytes);
            sum += target[end - sizeBytes];
        }
        WRITER.finish(target, 0, end, eventCount);
        return end == recordBytes ? sum : Long.MIN_VALUE;
    }

    long cursor(int record) {
        return sum(reader.read(records[record]));
    }

    long cursorDeserializer(int record) {
        return sum(cursors.deserialize("events", headers, ByteBuffer.wrap(records[record])));
    }

    private static long sum(BulkReader events) {
        byte[] array = events.array();
        long sum = 0;
        while (events.next()) {
            sum += array[events.valueOffset()];
        }
        return sum;
    }

    long listDeserializer(int record) {
        long sum = 0;
        for (BulkEvent event : lists.deserialize("events", headers, ByteBuffer.wrap(records[record]))) {
            sum += event.value()[0];
        }
        return sum;
    }
}
