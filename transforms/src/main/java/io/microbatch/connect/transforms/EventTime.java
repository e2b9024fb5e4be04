package io.microbatch.connect.transforms;

import java.util.Date;
import java.util.Map;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/**
 * The time of an event: the record's timestamp, or a field of its value that contains milliseconds since 1970 or a
 * Connect timestamp. Immutable; any thread.
 */
final class EventTime {

    /** The key of the field. */
    static final String FIELD_CONFIG = "event.time.field";

    static final String FIELD_DOC =
            "The field of the value with the time of the event, in milliseconds since 1970 or as a Connect timestamp. "
                    + "Dots separate the names of nested fields, for example source.ts_ms. If empty, the record's "
                    + "timestamp is used.";

    /** The time of a record without one. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final String[] path;

    EventTime(String field) {
        path = field == null || field.isBlank() ? new String[0] : field.strip().split("\\.", -1);
    }

    /** The time in milliseconds since 1970, or {@link #UNKNOWN}. */
    long epochMs(ConnectRecord<?> record) {
        if (path.length == 0) {
            Long timestamp = record.timestamp();
            // Connect writes -1 for none.
            return timestamp == null || timestamp < 0 ? UNKNOWN : timestamp;
        }
        Object value = record.value();
        for (String name : path) {
            value = field(value, name);
        }
        if (value instanceof Long epochMs) {
            return epochMs;
        }
        return value instanceof Date date ? date.getTime() : UNKNOWN;
    }

    private static Object field(Object value, String name) {
        if (value instanceof Struct struct) {
            Field field = struct.schema().field(name);
            return field == null ? null : struct.get(field);
        }
        return value instanceof Map<?, ?> map ? map.get(name) : null;
    }
}
