package io.microbatch.connect.convert;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The size that a producer compares with its limit: the upper bound of a batch with this one record, uncompressed. The
 * producer computes it in internal classes that move between releases. A test compares both. Stateless; any thread.
 */
final class RecordBytes {

    private static final int BATCH_HEADER_BYTES = 61;

    /** The maximum bytes of length, attributes, timestamp delta and offset delta. */
    private static final int RECORD_OVERHEAD_BYTES = 21;

    private RecordBytes() {}

    static long of(byte[] key, byte[] value, Headers headers) {
        long bytes = BATCH_HEADER_BYTES + RECORD_OVERHEAD_BYTES + field(key) + field(value);
        int count = 0;
        for (Header header : headers) {
            count++;
            bytes += field(header.key().getBytes(StandardCharsets.UTF_8)) + field(header.value());
        }
        return bytes + varint(count);
    }

    private static long field(byte[] content) {
        return content == null ? varint(-1) : (long) varint(content.length) + content.length;
    }

    /** The length of the zig-zag encoding. */
    private static int varint(int value) {
        int encoded = (value << 1) ^ (value >> 31);
        return Math.max(1, (38 - Integer.numberOfLeadingZeros(encoded)) / 7);
    }
}
