package io.microbatch.connect.upstream.hosted;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The records with which a hosted task has named a boundary of its transactions. Connect finds them by equality, so
 * that a task may name a copy. The record itself comes first: a batch may contain equal ones. One thread at a time.
 */
final class NamedRecords {

    private final Set<SourceRecord> same = Collections.newSetFromMap(new IdentityHashMap<>());

    /** By equality, one of those that are equal. */
    private final Map<SourceRecord, SourceRecord> equal = new HashMap<>();

    void add(SourceRecord record) {
        same.add(record);
        equal.put(record, record);
    }

    /** Removes the record itself. Returns whether it was named. */
    boolean takeSame(SourceRecord record) {
        if (!same.remove(record)) {
            return false;
        }
        equal.remove(record);
        return true;
    }

    /** Removes a record that equals this one. Returns whether one was named. */
    boolean takeEqual(SourceRecord record) {
        // Where nothing is named, no event is hashed.
        SourceRecord named = equal.isEmpty() ? null : equal.remove(record);
        return named != null && same.remove(named);
    }
}
