package io.microbatch.connect.upstream.hosted;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** How old an event is, by what it says itself. Stateless. */
final class EventAge {

    private EventAge() {}

    /**
     * In milliseconds, at least 0: since the {@code source.ts_ms} of a change event, which is when the database committed
     * it, or else since the record's timestamp. Not a number where the record has neither.
     */
    static double ms(SourceRecord record, long nowEpochMs) {
        Long atEpochMs = ofChangeEvent(record.value());
        if (atEpochMs == null) {
            atEpochMs = record.timestamp();
        }
        return atEpochMs == null ? Double.NaN : Math.max(0, nowEpochMs - atEpochMs);
    }

    private static Long ofChangeEvent(Object value) {
        return field(field(value, "source"), "ts_ms") instanceof Long ms ? ms : null;
    }

    private static Object field(Object struct, String name) {
        if (!(struct instanceof Struct fields)) {
            return null;
        }
        Field field = fields.schema().field(name);
        return field == null ? null : fields.get(field);
    }
}
