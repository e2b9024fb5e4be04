package io.microbatch.connect.upstream.outbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A database with an outbox table, as far as its relay can see it. A transaction gets an id, takes a number for each of
 * its rows, before or behind that, and ends. Numbers and ids are of different counters, so that they may be in
 * different order. One thread.
 */
final class OutboxModel {

    /** A row, with the name of its transaction and its place in it. */
    record Row(long seq, long xid, String name) {}

    /** The rows of the table that any reader sees. */
    private final List<Row> committed = new ArrayList<>();

    /** The ids of the transactions that have one and have not ended, by name. */
    private final Map<String, Long> running = new TreeMap<>();

    private final Map<String, List<Long>> numbers = new TreeMap<>();
    private long nextSeq = 1;
    private long nextXid = 10;

    void takesNumber(String name) {
        numbers.computeIfAbsent(name, each -> new ArrayList<>()).add(nextSeq++);
    }

    void getsId(String name) {
        running.put(name, nextXid++);
    }

    void ends(String name, boolean commits) {
        long xid = running.remove(name);
        if (commits) {
            List<Long> taken = numbers.get(name);
            for (int i = 0; i < taken.size(); i++) {
                committed.add(new Row(taken.get(i), xid, name + "." + i));
            }
        }
    }

    Snapshot snapshot() {
        List<Long> ids = running.values().stream().sorted().toList();
        StringJoiner text = new StringJoiner(",");
        ids.forEach(xid -> text.add(xid.toString()));
        return Snapshot.parse((ids.isEmpty() ? nextXid : ids.get(0)) + ":" + nextXid + ":" + text);
    }

    /** The committed rows by number, as a statement with ORDER BY reads them. */
    List<Row> rows() {
        return committed.stream().sorted(Comparator.comparingLong(Row::seq)).toList();
    }
}
