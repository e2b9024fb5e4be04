package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.upstream.RetryLog;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the rows that Connect is done with, many at once, by their numbers and transactions. Never by a range or a
 * condition, because a row that was not read must not be deleted. One thread.
 *
 * <p>A deletion must not keep rows from being read. A row that somebody has locked is left out and tried again later,
 * and a statement that takes too long is followed by smaller ones. The rows that a cancelled statement has reached bear
 * its mark, as if somebody had locked them: the next statements take marked rows, too.
 */
final class Sweeper {

    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);

    static final int BATCH_ROWS = 1_000;
    static final int MAX_STATEMENT_ROWS = 5_000;
    static final int MAX_WAITING_ROWS = 100_000;
    static final long MAX_WAIT_NANOS = 200_000_000;

    /** After a statement that was not quicker the next one has no more rows. */
    private static final long QUICK_NANOS = 1_000_000_000;

    private static final long PAUSE_MS = 1_000;
    private static final long LOCKED_PAUSE_MS = 5_000;
    private static final int MAX_LOCKED_FAILURES = 5;

    private final OutboxFigures figures;
    private final LongSupplier nanoClock;
    private final RetryLog retries = new RetryLog(log, "The deletion of delivered rows");

    private final ArrayDeque<RowId> waiting = new ArrayDeque<>();

    /** Rows that somebody has locked, or had locked once. */
    private final ArrayDeque<RowId> locked = new ArrayDeque<>();

    /** When the oldest of the waiting rows came, approximately. */
    private long sinceNanos;

    private int statementRows = MAX_STATEMENT_ROWS;

    /** The next rows that may bear the mark of a statement of this task that was cancelled. */
    private int ownMarks;

    private int lockedRows = BATCH_ROWS;
    private long nextNanos;
    private long nextLockedNanos;

    Sweeper(OutboxFigures figures, LongSupplier nanoClock) {
        this.figures = figures;
        this.nanoClock = nanoClock;
        this.nextNanos = nanoClock.getAsLong();
        this.nextLockedNanos = nextNanos;
    }

    /** Connect is done with this row. */
    void add(RowId row) {
        if (waiting.isEmpty()) {
            sinceNanos = nanoClock.getAsLong();
        }
        waiting.addLast(row);
        figures.undeleted(rows());
    }

    private int rows() {
        return waiting.size() + locked.size();
    }

    boolean isEmpty() {
        return rows() == 0;
    }

    /** Whether no more rows should be read before some are deleted. */
    boolean isFull() {
        return rows() >= MAX_WAITING_ROWS;
    }

    /** Whether there are enough rows for a statement, or the oldest has waited long enough. */
    boolean isDue() {
        long nowNanos = nanoClock.getAsLong();
        if (nowNanos - nextNanos < 0) {
            return false;
        }
        boolean isLong = !waiting.isEmpty() && nowNanos - sinceNanos >= MAX_WAIT_NANOS;
        return waiting.size() >= BATCH_ROWS || isLong || isLockedDue(nowNanos);
    }

    private boolean isLockedDue(long nowNanos) {
        return !locked.isEmpty() && nowNanos - nextLockedNanos >= 0;
    }

    /**
     * Deletes waiting rows, one statement's at most. They wait again if the statement fails.
     *
     * @throws SQLException unless the statement alone has failed: because of a lock, or of its time
     */
    void sweep(OutboxConnection database, OutboxTable table, String server) throws SQLException {
        List<RowId> batch = waiting.stream().limit(statementRows).toList();
        long begunNanos = nanoClock.getAsLong();
        try {
            if (!batch.isEmpty()) {
                sweepBatch(batch, database, table, server);
            }
        } catch (SQLException e) {
            putOff(e);
            ownMarks = StatementLimit.isCanceled(e) ? Math.max(ownMarks, batch.size()) : 0;
            statementRows = Math.max(1, batch.size() / 2);
            return;
        }
        int laterRows = Math.min(lockedRows, locked.size());
        try {
            if (isLockedDue(begunNanos)) {
                sweepLocked(database, table, server);
            }
            retries.succeeded();
        } catch (SQLException e) {
            putOff(e);
            lockedRows = Math.max(1, laterRows / 2);
        }
    }

    /** Throws a failure that is not of the statement alone. */
    private void putOff(SQLException failure) throws SQLException {
        if (!StatementLimit.isLocked(failure) && !StatementLimit.isCanceled(failure)) {
            throw failure;
        }
        nextNanos = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MS);
        retries.asked(PAUSE_MS, failure);
    }

    private void sweepBatch(List<RowId> batch, OutboxConnection database, OutboxTable table, String server)
            throws SQLException {
        long begunNanos = nanoClock.getAsLong();
        OutboxTable.Deleted answer = table.delete(database, batch, server, ownMarks > 0);
        ownMarks = Math.max(0, ownMarks - batch.size());
        batch.forEach(row -> waiting.removeFirst());
        locked.addAll(answer.remaining());
        sinceNanos = nanoClock.getAsLong();
        long tookNanos = sinceNanos - begunNanos;
        if (tookNanos < QUICK_NANOS && answer.rows() > 0) {
            statementRows = Math.min(MAX_STATEMENT_ROWS, statementRows * 2);
        }
        figures.deleted(answer.rows(), tookNanos, rows());
    }

    /** All together, as most of them are not locked any more. If one is, each alone. */
    private void sweepLocked(OutboxConnection database, OutboxTable table, String server) throws SQLException {
        long begunNanos = nanoClock.getAsLong();
        nextLockedNanos = begunNanos + TimeUnit.MILLISECONDS.toNanos(LOCKED_PAUSE_MS);
        List<RowId> batch = locked.stream().limit(lockedRows).toList();
        if (tryDelete(batch, database, table, server)) {
            batch.forEach(row -> locked.removeFirst());
            // None of them was locked, and the next ones need not wait.
            nextLockedNanos = nanoClock.getAsLong();
            if (nextLockedNanos - begunNanos < QUICK_NANOS) {
                lockedRows = Math.min(BATCH_ROWS, lockedRows * 2);
            }
        } else {
            int failures = 0;
            for (RowId row : batch) {
                boolean isGone = failures < MAX_LOCKED_FAILURES && tryDelete(List.of(row), database, table, server);
                locked.removeFirst();
                if (!isGone) {
                    failures++;
                    locked.addLast(row);
                }
            }
        }
        figures.undeleted(rows());
    }

    /** Deletes rows, even if they bear the mark of a lock. Returns false if somebody has locked one of them. */
    private boolean tryDelete(List<RowId> rows, OutboxConnection database, OutboxTable table, String server)
            throws SQLException {
        try {
            OutboxTable.Deleted answer = table.delete(database, rows, server, true);
            figures.deletedLater(answer.rows());
            return true;
        } catch (SQLException e) {
            if (StatementLimit.isLocked(e)) {
                return false;
            }
            throw e;
        }
    }

    /** The waiting rows are of another server, or of another table. */
    void forget() {
        waiting.clear();
        locked.clear();
        ownMarks = 0;
        figures.undeleted(0);
    }
}
