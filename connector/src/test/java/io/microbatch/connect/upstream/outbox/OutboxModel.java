package io.microbatch.connect.upstream.outbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A database with an outbox table, as far as its relay can see it. Each transaction inserts one row in three steps: it
 * takes a number, it gets its id, and it ends. The number and the id are of different counters, so that they may be in
 * different order. One thread.
 */
final class OutboxModel {

    /** A row, with the name of its transaction. */
    record Row(long seq, long xid, String name) {}

    /** The rows of the table that any reader sees. */
    private final List<Row> committed = new ArrayList<>();

    /** The transactions that have an id and have not ended, by id. */
    private final TreeMap<Long, Row> running = new TreeMap<>();

    private final TreeMap<String, Long> numbers = new TreeMap<>();
    private long nextSeq = 1;
    private long nextXid = 10;

    void takesNumber(String name) {
        numbers.put(name, nextSeq++);
    }

    void getsId(String name) {
        long xid = nextXid++;
        running.put(xid, new Row(numbers.get(name), xid, name));
    }

    void ends(String name, boolean commits) {
        Row row = running.values().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        Row ended = running.remove(row.xid());
        if (commits) {
            committed.add(ended);
        }
    }

    Snapshot snapshot() {
        StringJoiner ids = new StringJoiner(",");
        running.keySet().forEach(xid -> ids.add(xid.toString()));
        return Snapshot.parse((running.isEmpty() ? nextXid : running.firstKey()) + ":" + nextXid + ":" + ids);
    }

    /** The committed rows by number, as a statement with ORDER BY reads them. */
    List<Row> rows() {
        return committed.stream().sorted(Comparator.comparingLong(Row::seq)).toList();
    }
}
