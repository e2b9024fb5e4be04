package io.microbatch.connect.upstream.outbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots that a crash of the database cannot undo. One thread.
 *
 * <p>A snapshot may show a transaction as finished of which the log is not on disk yet: one that was rolled back, or
 * one with {@code synchronous_commit=off}. After a crash its id is given to another transaction, whose rows would be
 * taken for read. So a snapshot counts only when the log that it saw is on disk.
 */
final class SafeSnapshots {

    private static final Logger log = LoggerFactory.getLogger(SafeSnapshots.class);

    private static final String WRITTEN = position("pg_current_wal_insert_lsn()");
    private static final String FLUSHED = position("pg_current_wal_flush_lsn()");

    private static final long ASK_AGAIN_MS = 2;

    /** A log that nobody flushes by itself in this time is flushed by us. */
    private static final long PATIENCE_NANOS = 10_000_000;

    /** Each flush is a transaction, and a message for those who decode the log. */
    private static final long BETWEEN_FLUSHES_NANOS = 100_000_000;

    private static final long LIMIT_NANOS = 1_000_000_000;

    private final boolean isChecked;
    private final OutboxFigures figures;
    private final CountDownLatch stopping;
    private final LongSupplier nanoClock;

    /** Whether the user may write into the log. */
    private boolean mayFlush = true;

    private final OldestTransaction oldest = new OldestTransaction();

    /** When the log was flushed by us. Null if it was not yet. */
    private Long flushedNanos;

    /**
     * A snapshot.
     *
     * @param position the end of the log that it saw
     * @param flushed the end of the log on disk, a moment later
     */
    private record Taken(Snapshot snapshot, long position, long flushed) {}

    /** Takes snapshots until the latch opens. Without a check a snapshot counts at once. */
    SafeSnapshots(boolean isChecked, OutboxFigures figures, CountDownLatch stopping, LongSupplier nanoClock) {
        this.isChecked = isChecked;
        this.figures = figures;
        this.stopping = stopping;
        this.nanoClock = nanoClock;
    }

    /**
     * Takes the next snapshot, and waits until it counts. Null if that takes a second, or the task stops.
     *
     * @throws OtherServerException if it is not this server
     */
    Snapshot next(OutboxConnection database, OutboxTable table, OutboxConnection.Server server)
            throws SQLException, InterruptedException {
        // The position is asked for after the snapshot was taken, which is at the statement's beginning.
        Taken taken = database.one(
                "SELECT " + table.identity() + ", pg_current_snapshot()::text, "
                        + (isChecked ? WRITTEN + ", " + FLUSHED : "0, 0"),
                row -> {
                    check(row, server);
                    return new Taken(Snapshot.parse(row.getString(2)), row.getLong(3), row.getLong(4));
                });
        figures.oldestTransaction(oldest.seenForNanos(taken.snapshot(), nanoClock.getAsLong()));
        boolean counts = !isChecked || isFlushed(database, table, server, taken);
        return counts ? taken.snapshot() : null;
    }

    /** A position of the log in bytes. A standby refuses to answer, and is told by its identity. */
    private static String position(String function) {
        return "CASE WHEN NOT pg_is_in_recovery() THEN (" + function + " - '0/0'::pg_lsn)::bigint END";
    }

    private static void check(ResultSet row, OutboxConnection.Server server) throws SQLException {
        if (!row.getString(1).equals(server.identity())) {
            throw new OtherServerException();
        }
    }

    private boolean isFlushed(OutboxConnection database, OutboxTable table, OutboxConnection.Server server, Taken taken)
            throws SQLException, InterruptedException {
        long position = server.log().endOfLastRecord(taken.position());
        if (taken.flushed() >= position) {
            return true;
        }
        long begunNanos = nanoClock.getAsLong();
        boolean isOver = false;
        long reached = taken.flushed();
        while (reached < position && !isOver) {
            long nowNanos = nanoClock.getAsLong();
            long waitedNanos = nowNanos - begunNanos;
            boolean isTooSoon = flushedNanos != null && nowNanos - flushedNanos < BETWEEN_FLUSHES_NANOS;
            if (waitedNanos >= PATIENCE_NANOS && mayFlush && !isTooSoon) {
                flush(database);
                flushedNanos = nowNanos;
            }
            isOver = stopping.await(ASK_AGAIN_MS, TimeUnit.MILLISECONDS) || waitedNanos >= LIMIT_NANOS;
            reached = database.one("SELECT " + table.identity() + ", " + FLUSHED, row -> {
                check(row, server);
                return row.getLong(2);
            });
        }
        figures.unflushed(nanoClock.getAsLong() - begunNanos);
        return reached >= position;
    }

    /** The log of an open transaction is flushed at the next commit only, and nobody else may commit for long. */
    private void flush(OutboxConnection database) throws SQLException {
        try {
            database.flushLog();
        } catch (SQLException e) {
            if (e.getSQLState() == null || !e.getSQLState().startsWith("42")) {
                throw e;
            }
            mayFlush = false;
            log.info("The database user may not call pg_logical_emit_message, which flushes the database's log. Rows "
                    + "wait until the database does so by itself");
        }
    }
}
