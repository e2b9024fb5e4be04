package io.microbatch.connect.upstream.http;

import java.nio.ByteBuffer;
import java.util.AbstractMap;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The source offset of a keyed request: its number, and the keys of a segment up to a count. It is only a reference to
 * the segment's bytes. They become text when Connect serializes the offset, which it does for the last record of a
 * source partition in a transaction only. The bytes below the count never change.
 *
 * <p>Equality is that of the request, so that its records are one run, although only the last one's content names the
 * request's own key: a request of which a part was committed is not taken for done. Immutable; any thread.
 */
final class WindowOffset extends AbstractMap<String, Object> {

    /** The field with the keys. */
    static final String KEYS_FIELD = "keys";

    private final long number;
    private final byte[] segment;
    private final int count;
    private final KeyEntry entry;

    /**
     * Refers to the first keys of a segment.
     *
     * @param number the number of the request
     * @param segment the bytes of the segment's keys
     * @param count how many keys belong to the offset
     * @param entry the request's own key if it is the last one of them, else null
     */
    WindowOffset(long number, byte[] segment, int count, KeyEntry entry) {
        this.number = number;
        this.segment = segment;
        this.count = count;
        this.entry = entry;
    }

    /** The request's own key, or null. */
    KeyEntry entry() {
        return entry;
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        byte[] keys = ByteBuffer.allocate(count * RequestKey.BYTES)
                .put(segment, 0, count * RequestKey.BYTES)
                .array();
        // In this order in every JVM, so that equal offsets are equal bytes.
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(HttpReader.OFFSET_FIELD, number);
        fields.put(KEYS_FIELD, Base64.getEncoder().encodeToString(keys));
        return Collections.unmodifiableMap(fields).entrySet();
    }

    @Override
    public int size() {
        return 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WindowOffset offset ? offset.number == number : super.equals(other);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }
}
