package io.microbatch.connect.upstream.hosted.debezium;

import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** Reads the envelope of a change event. Other records have none. Stateless. */
public final class ChangeEvent {

    private ChangeEvent() {}

    /**
     * The age of the last of these records that has one, in milliseconds, at least 0. A heartbeat, a tombstone and the
     * end of a transaction have none, and often are the last records of a poll. Not a number if no record has an age.
     */
    public static double lastAgeMs(List<SourceRecord> records, long nowEpochMs) {
        double ageMs = Double.NaN;
        for (int i = records.size() - 1; i >= 0 && Double.isNaN(ageMs); i--) {
            ageMs = ageMs(records.get(i), nowEpochMs);
        }
        return ageMs;
    }

    /**
     * The age of a record in milliseconds, at least 0. It counts from {@code source.ts_ms}, when the database committed
     * the change, otherwise from the record's timestamp. Not a number if the record has neither.
     */
    static double ageMs(SourceRecord record, long nowEpochMs) {
        double sinceCommitMs = sinceMs(field(field(record.value(), "source"), "ts_ms"), nowEpochMs);
        return Double.isNaN(sinceCommitMs) ? sinceMs(record.timestamp(), nowEpochMs) : sinceCommitMs;
    }

    /** A negative time is none: Connect and MirrorMaker write a missing timestamp as -1. */
    private static double sinceMs(Object time, long nowEpochMs) {
        return time instanceof Long epochMs && epochMs >= 0 ? Math.max(0, nowEpochMs - epochMs) : Double.NaN;
    }

    /** The operation in the envelope. Empty without an envelope. */
    static String operation(SourceRecord record) {
        return field(record.value(), "op") instanceof String operation ? operation : "";
    }

    private static Object field(Object struct, String name) {
        if (!(struct instanceof Struct fields)) {
            return null;
        }
        Field field = fields.schema().field(name);
        return field == null ? null : fields.get(field);
    }
}
