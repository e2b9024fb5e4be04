package io.microbatch.connect.upstream.outbox;

import java.util.List;

/**
 * A row of an outbox table. Any thread.
 *
 * @param id null if it is null, or if {@code otherBytes} are more than they may be. So are key, route and fields
 * @param payload text or bytes. Null if it is null, or larger than it may be
 * @param isBytes whether the payload's column has bytes
 * @param payloadBytes the payload's size, also of one that is too large
 * @param otherBytes the size of id, key, route and fields, also of those that are too large
 * @param timestampMs milliseconds since 1970, or null. Negative where Kafka has no such time: before 1970, or infinite
 * @param fields the texts of the additional columns, each of which may be null
 */
record OutboxRow(
        long seq,
        long xid,
        String id,
        String key,
        String route,
        Object payload,
        boolean isBytes,
        int payloadBytes,
        long otherBytes,
        Long timestampMs,
        List<String> fields) {

    /** Whether the row has a timestamp that Kafka takes. */
    boolean hasTime() {
        return timestampMs != null && timestampMs >= 0;
    }
}
