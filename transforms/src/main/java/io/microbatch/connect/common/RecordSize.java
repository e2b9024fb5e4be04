package io.microbatch.connect.common;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;

/**
 * Estimates the heap size of a record in bytes, for the limits of stripes and batches. The estimate counts all bytes
 * and characters at any depth, with the headers, and a constant for any other value. Stateless; any thread.
 */
public final class RecordSize {

    /** The record itself, its offset map and its entry in a stripe. */
    private static final int RECORD_BYTES = 200;

    private static final long VALUE_BYTES = 24;

    /** The header itself and its node in the list. */
    private static final long HEADER_BYTES = 64;

    /** The depth up to which recursion is used, which is fast. A deeper structure could overflow the stack. */
    private static final int MAX_RECURSION = 8;

    /** Returned instead of a size for a value that contains other values. */
    private static final long STRUCTURE = -1;

    private RecordSize() {}

    /** The estimate for a source or sink record. */
    public static int estimateBytes(ConnectRecord<?> record) {
        long bytes = withoutHeaders(record.key(), record.value());
        Headers headers = record.headers();
        // Most records have no headers; this saves an iterator.
        if (!headers.isEmpty()) {
            for (Header header : headers) {
                bytes += ofHeader(header.key(), header.value());
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    /** What {@link #estimateBytes} counts for a record with this key and value, but for its headers. */
    public static long withoutHeaders(Object key, Object value) {
        return RECORD_BYTES + of(key, 0) + of(value, 0);
    }

    /** What {@link #estimateBytes} counts for a header. */
    public static long ofHeader(String name, Object value) {
        return HEADER_BYTES + name.length() + of(value, 0);
    }

    private static long of(Object value, int depth) {
        long simple = ofSimple(value);
        if (simple != STRUCTURE) {
            return simple;
        }
        if (depth >= MAX_RECURSION) {
            return ofDeep(value);
        }
        long bytes = VALUE_BYTES;
        if (value instanceof Struct struct) {
            for (Field field : struct.schema().fields()) {
                bytes += of(struct.getWithoutDefault(field.name()), depth + 1);
            }
        } else if (value instanceof List<?> list) {
            for (Object element : list) {
                bytes += of(element, depth + 1);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                bytes += VALUE_BYTES + of(entry.getKey(), depth + 1) + of(entry.getValue(), depth + 1);
            }
        }
        return bytes;
    }

    /**
     * The size of a simple value, otherwise {@link #STRUCTURE}. Tests interfaces last, because these tests are slower.
     */
    private static long ofSimple(Object value) {
        if (value == null) {
            return 0;
        }
        if (value instanceof byte[] array) {
            return VALUE_BYTES + array.length;
        }
        if (value instanceof String text) {
            return VALUE_BYTES + text.length();
        }
        if (value instanceof ByteBuffer buffer) {
            return VALUE_BYTES + buffer.remaining();
        }
        if (value instanceof Number) {
            return VALUE_BYTES;
        }
        return value instanceof Struct || value instanceof List<?> || value instanceof Map<?, ?>
                ? STRUCTURE
                : VALUE_BYTES;
    }

    /** Counts without recursion, and each structure once, so that it also ends for one that contains itself. */
    private static long ofDeep(Object structure) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> pending = new ArrayDeque<>();
        pending.add(structure);
        long bytes = 0;
        while (!pending.isEmpty()) {
            Object next = pending.poll();
            if (!seen.add(next)) {
                continue;
            }
            bytes += VALUE_BYTES;
            if (next instanceof Struct struct) {
                for (Field field : struct.schema().fields()) {
                    bytes += ofMember(struct.getWithoutDefault(field.name()), pending);
                }
            } else if (next instanceof List<?> list) {
                for (Object element : list) {
                    bytes += ofMember(element, pending);
                }
            } else if (next instanceof Map<?, ?> map) {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    bytes += VALUE_BYTES + ofMember(entry.getKey(), pending) + ofMember(entry.getValue(), pending);
                }
            }
        }
        return bytes;
    }

    /** Counts a simple value, or queues a structure to be counted later. */
    private static long ofMember(Object member, Deque<Object> pending) {
        long simple = ofSimple(member);
        if (simple != STRUCTURE) {
            return simple;
        }
        pending.add(member);
        return 0;
    }
}
