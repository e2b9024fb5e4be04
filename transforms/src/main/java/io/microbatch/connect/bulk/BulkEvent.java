package io.microbatch.connect.bulk;

import java.util.Arrays;

/**
 * One event of a bulk record. Equality compares the content of the arrays. The arrays are not copied, so a caller that
 * changes them changes the event.
 *
 * @param key null for none
 * @param timestampMs milliseconds since 1970, {@link BulkFormat#NO_TIMESTAMP} for none
 * @param value null for a tombstone
 */
public record BulkEvent(byte[] key, long timestampMs, byte[] value) {

    @Override
    public boolean equals(Object other) {
        return other instanceof BulkEvent event
                && timestampMs == event.timestampMs
                && Arrays.equals(key, event.key)
                && Arrays.equals(value, event.value);
    }

    @Override
    public int hashCode() {
        return (31 * Arrays.hashCode(key) + Arrays.hashCode(value)) * 31 + Long.hashCode(timestampMs);
    }

    /** Prints lengths only, because a log must not show the content of events. */
    @Override
    public String toString() {
        return "BulkEvent[key=" + size(key) + ", timestampMs=" + timestampMs + ", value=" + size(value) + "]";
    }

    private static String size(byte[] bytes) {
        return bytes == null ? "null" : bytes.length + " bytes";
    }
}
