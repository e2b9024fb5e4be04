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
 * Records of random events of 64 bytes, and what can be done with them. Each way answers with the sum of its events'
 * first bytes, so that none can be optimised away or skip an event unnoticed; copy and checksum, which know of no events,
 * answer with the same where the last byte or the checksum is right.
 */
final class BulkWork {

    static final int EVENT_BYTES = 64;
    /** A record of 900 kB. */
    static final int EVENTS = 13_846;

    static final int CACHED_RECORDS = 1;
    /** 115 MB. */
    static final int RECORDS_BEYOND_CACHE = 128;

    private static final BulkWriter WRITER = BulkWriter.of(0);
    private static final int RECORD_BYTES = WRITER.headerBytes() + EVENTS * WRITER.frameBytes(EVENT_BYTES);

    private final byte[][] events;
    private final byte[][] records;
    private final long[] sums;
    private final long[] checksums;
    private final byte[] target = new byte[RECORD_BYTES];
    private final CRC32C crc = new CRC32C();
    private final BulkReader reader = new BulkReader(BulkLimits.DEFAULT);
    private final BulkCursorDeserializer cursors = new BulkCursorDeserializer();
    private final BulkDeserializer lists = new BulkDeserializer();
    private final RecordHeaders headers = new RecordHeaders();

    BulkWork(int recordCount) {
        events = new byte[recordCount][EVENTS * EVENT_BYTES];
        records = new byte[recordCount][RECORD_BYTES];
        sums = new long[recordCount];
        checksums = new long[recordCount];
        Random random = new Random(1);
        for (int record = 0; record < recordCount; record++) {
            random.nextBytes(events[record]);
            for (int i = 0; i < EVENTS; i++) {
                sums[record] += events[record][i * EVENT_BYTES];
            }
            long ignored = encode(record);
            System.arraycopy(target, 0, records[record], 0, RECORD_BYTES);
            crc.reset();
            crc.update(target, 0, RECORD_BYTES);
            checksums[record] = crc.getValue();
        }
    }

    /** What a way must answer that sees every event. */
    long expected(int record) {
        return sums[record];
    }

    long copy(int record) {
        System.arraycopy(records[record], 0, target, 0, RECORD_BYTES);
        boolean copied = target[RECORD_BYTES - 1] == records[record][RECORD_BYTES - 1];
        return copied ? sums[record] : Long.MIN_VALUE;
    }

    long checksum(int record) {
        crc.reset();
        crc.update(records[record], 0, RECORD_BYTES);
        return crc.getValue() == checksums[record] ? sums[record] : Long.MIN_VALUE;
    }

    long encode(int record) {
        byte[] source = events[record];
        int end = WRITER.headerBytes();
        long sum = 0;
        for (int i = 0; i < EVENTS; i++) {
            end = WRITER.writeFrame(target, end, source, i * EVENT_BYTES, EVENT_BYTES);
            sum += target[end - EVENT_BYTES];
        }
        WRITER.finish(target, 0, end, EVENTS);
        return end == RECORD_BYTES ? sum : Long.MIN_VALUE;
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
