package io.microbatch.connect.record;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/**
 * Estimates how much heap a record holds, in bytes, for the bounds of stripes and batches. Exact for the bytes and
 * characters that make records large, a constant for everything else. Stateless; any thread.
 */
public final class RecordSize {

    /** The record itself, its offset map and its entry in a stripe. */
    private static final int RECORD_BYTES = 200;

    private static final long VALUE_BYTES = 24;
    private static final int DEEPEST = 8;

    private RecordSize() {}

    /** The estimate for a record of either direction. */
    public static int estimateBytes(ConnectRecord<?> record) {
        long bytes = RECORD_BYTES + of(record.key(), 0) + of(record.value(), 0);
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    private static long of(Object value, int depth) {
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
        if (depth >= DEEPEST) {
            return VALUE_BYTES;
        }
        if (value instanceof Struct struct) {
            long bytes = VALUE_BYTES;
            for (Field field : struct.schema().fields()) {
                bytes += of(struct.getWithoutDefault(field.name()), depth + 1);
            }
            return bytes;
        }
        if (value instanceof List<?> list) {
            long bytes = VALUE_BYTES;
            for (Object element : list) {
                bytes += of(element, depth + 1);
            }
            return bytes;
        }
        if (value instanceof Map<?, ?> map) {
            long bytes = VALUE_BYTES;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                bytes += VALUE_BYTES + of(entry.getKey(), depth + 1) + of(entry.getValue(), depth + 1);
            }
            return bytes;
        }
        return VALUE_BYTES;
    }
}
