package io.microbatch.connect.upstream.outbox;

import java.util.Map;

/**
 * A part of the table's keys, with its source partition and how far it is read. One thread.
 *
 * <p>The source partition has one field: Connect finds an offset by the bytes of its partition, and the order of
 * several fields in them would count.
 */
final class Shard {

    static final String PARTITION_FIELD = "outbox";

    /** A page of rows whose size is not known has this many of the largest size. */
    private static final int FIRST_ROWS = 500;

    /** After a page that was not quicker the next one has no more rows. */
    private static final long QUICK_NANOS = 1_000_000_000;

    private final int number;
    private final Map<String, String> partition;
    private OutboxPosition position;

    /** The rows that were read before the start and may be there still. Null if they were looked for everywhere. */
    private OutboxTable.Read readBefore;

    private int pageRows = FIRST_ROWS;

    Shard(int number, int shards, OutboxTable table) {
        this.number = number;
        this.partition = Map.of(PARTITION_FIELD, table.name() + ":" + number + "/" + shards);
    }

    int number() {
        return number;
    }

    Map<String, String> partition() {
        return partition;
    }

    OutboxPosition position() {
        return position;
    }

    /** Reading continues here. */
    void continueAt(OutboxPosition next) {
        position = next;
    }

    /** The rows that the present position calls read are to be looked for. */
    void lookForRead() {
        readBefore =
                new OutboxTable.Read(number, position.from(), position.to(), position.seq(), OutboxPosition.BEFORE_ALL);
    }

    /** The rows to look for. Null if there are none. */
    OutboxTable.Read readBefore() {
        return readBefore;
    }

    /** The rows up to this number were looked for. */
    void lookedUpTo(long seq) {
        readBefore =
                new OutboxTable.Read(readBefore.shard(), readBefore.from(), readBefore.to(), readBefore.seq(), seq);
    }

    /** No more rows are looked for. */
    void lookedEverywhere() {
        readBefore = null;
    }

    /** The most rows of the next page, of which this is the limit. */
    int pageRows(int limit) {
        return Math.min(limit, pageRows);
    }

    /** Adapts the size of the next page to the mean size of these rows, which are at least one. */
    void read(int rows, long bytes, long tookNanos) {
        long meanBytes = Math.max(1, bytes / rows);
        long mostRows = tookNanos < QUICK_NANOS ? 2L * pageRows : pageRows;
        pageRows = (int) Math.max(1, Math.min(mostRows, OutboxTable.PAGE_BYTES / meanBytes));
    }

    /** A page of this many rows has taken too long. The next one has half as many. */
    void tookTooLong(int rows) {
        pageRows = Math.max(1, rows / 2);
    }
}
