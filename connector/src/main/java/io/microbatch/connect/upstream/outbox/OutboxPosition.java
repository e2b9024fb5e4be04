package io.microbatch.connect.upstream.outbox;

import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * How far a shard of the table is read: everything that is visible in one snapshot, and of what a later snapshot shows
 * besides, everything up to a number. One thread.
 *
 * <p>A transaction that was not finished at the later snapshot is not visible in it, so that its rows belong to a later
 * interval, however small their numbers are. If one event of a key was committed before another was inserted, its
 * number is smaller, and every snapshot that shows the second shows the first. So it is in an earlier interval, or
 * before the second in the same one.
 */
final class OutboxPosition {

    static final String FROM_FIELD = "from";
    static final String TO_FIELD = "to";
    static final String SEQ_FIELD = "seq";
    static final String SERVER_FIELD = "server";

    /** Less than every number of a row. */
    static final long BEFORE_ALL = Long.MIN_VALUE;

    private final String server;
    private Snapshot from;

    /** The end of the interval. The same as {@code from} while none is open. */
    private Snapshot to;

    private long seq = BEFORE_ALL;

    private OutboxPosition(String server, Snapshot from, Snapshot to) {
        this.server = server;
        this.from = from;
        this.to = to;
    }

    /** Nothing of this server's table is read. */
    static OutboxPosition beginning(String server) {
        return new OutboxPosition(server, Snapshot.NOTHING, Snapshot.NOTHING);
    }

    /**
     * The position of a source offset.
     *
     * @throws ConnectException if it is none, with the form that is expected
     */
    static OutboxPosition of(Map<String, ?> offset) {
        try {
            if (offset.size() == 4
                    && offset.get(FROM_FIELD) instanceof String from
                    && offset.get(TO_FIELD) instanceof String to
                    && offset.get(SEQ_FIELD) instanceof Number seq
                    && offset.get(SERVER_FIELD) instanceof String server) {
                OutboxPosition position = new OutboxPosition(server, Snapshot.parse(from), Snapshot.parse(to));
                position.seq = seq.longValue();
                return position;
            }
        } catch (IllegalArgumentException e) {
            throw new ConnectException(form(), e);
        }
        throw new ConnectException(form());
    }

    private static String form() {
        return "An offset of upstream.type=outbox is {\"" + FROM_FIELD + "\": <pg_snapshot>, \"" + TO_FIELD
                + "\": <pg_snapshot>, \"" + SEQ_FIELD + "\": <number>, \"" + SERVER_FIELD
                + "\": \"<system identifier>/<timeline>/<database>/<table>\"} or null";
    }

    /** The database server with its timeline, the database and the table, of which the snapshots are. */
    String server() {
        return server;
    }

    /** Everything that is visible in it is read. */
    Snapshot from() {
        return from;
    }

    /** What is visible in it is read up to {@link #seq}. */
    Snapshot to() {
        return to;
    }

    long seq() {
        return seq;
    }

    /** Whether there may be rows to read before the next snapshot. */
    boolean isOpen() {
        return !from.equals(to);
    }

    /** Begins the next interval, which ends at this snapshot. A repeated snapshot has nothing new. */
    void open(Snapshot next) {
        if (isOpen()) {
            throw new IllegalStateException("The interval before it is not read to its end");
        }
        to = next;
        seq = BEFORE_ALL;
    }

    /** A row of the interval is read. */
    void advance(long rowSeq) {
        seq = rowSeq;
    }

    /** The interval is read to its end. */
    void finish() {
        from = to;
        seq = BEFORE_ALL;
    }

    /** Whether a row is still to be read in this interval. */
    boolean isNew(long xid, long rowSeq) {
        return to.isVisible(xid) && !from.isVisible(xid) && rowSeq > seq;
    }

    /** The source offset of a row of the interval. */
    Map<String, ?> offset(long rowSeq) {
        return Map.of(FROM_FIELD, from.toString(), TO_FIELD, to.toString(), SEQ_FIELD, rowSeq, SERVER_FIELD, server);
    }
}
