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

    private final int number;
    private final Map<String, String> partition;
    private OutboxPosition position;

    /** The rows that were read before the start and are not deleted yet. Null if there are none. */
    private OutboxTable.Read leftOver;

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

    /** The rows that the present position calls read are to be deleted. */
    void leaveOver() {
        leftOver = new OutboxTable.Read(number, position.from(), position.to(), position.seq());
    }

    OutboxTable.Read leftOver() {
        return leftOver;
    }

    void nothingLeftOver() {
        leftOver = null;
    }

    /** The most rows of the next page, of which this is the limit. */
    int pageRows(int limit) {
        return Math.min(limit, pageRows);
    }

    /** Adapts the size of the next page to the mean size of these rows, which are at least one. */
    void read(int rows, long bytes) {
        long meanBytes = Math.max(1, bytes / rows);
        pageRows = (int) Math.max(1, Math.min(Integer.MAX_VALUE, OutboxTable.PAGE_BYTES / meanBytes));
    }
}
