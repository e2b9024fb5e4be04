package io.microbatch.connect.upstream.http;

import io.microbatch.connect.common.RecordSize;
import java.util.List;

/**
 * An event of a request, before it is a record. Immutable if nobody writes to its arrays. Any thread.
 *
 * @param key null for a record without a key
 * @param value null for a tombstone
 * @param partition the partition that the client chose, or null
 * @param timestampMs the client's timestamp in milliseconds since 1970, or null
 * @param headers in the order in which they are written to the record
 */
record HttpEvent(byte[] key, byte[] value, Integer partition, Long timestampMs, List<HttpHeader> headers) {

    /** The bytes that its record takes on the heap, as a stripe counts them. */
    long heapBytes() {
        long bytes = RecordSize.withoutHeaders(key, value);
        for (HttpHeader header : headers) {
            bytes += RecordSize.ofHeader(header.name(), header.value());
        }
        return bytes;
    }
}
