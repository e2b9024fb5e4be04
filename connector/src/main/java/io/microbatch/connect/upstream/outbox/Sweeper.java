package io.microbatch.connect.upstream.outbox;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Deletes the rows that Connect is done with, many at once, by their numbers. Never by a range or a condition, because
 * a row that was not read must not be deleted. One thread.
 */
final class Sweeper {

    static final int BATCH_ROWS = 1_000;
    static final int MAX_STATEMENT_ROWS = 5_000;
    static final int MAX_WAITING_ROWS = 100_000;
    static final long MAX_WAIT_NANOS = 200_000_000;

    private final OutboxFigures figures;
    private final LongSupplier nanoClock;

    private final ArrayDeque<Long> waiting = new ArrayDeque<>();

    /** When the oldest of the waiting rows came, approximately. */
    private long sinceNanos;

    Sweeper(OutboxFigures figures, LongSupplier nanoClock) {
        this.figures = figures;
        this.nanoClock = nanoClock;
    }

    /** Connect is done with the row of this number. */
    void add(long seq) {
        if (waiting.isEmpty()) {
            sinceNanos = nanoClock.getAsLong();
        }
        waiting.addLast(seq);
        figures.undeleted(waiting.size());
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether no more rows should be read before some are deleted. */
    boolean isFull() {
        return waiting.size() >= MAX_WAITING_ROWS;
    }

    /** Whether there are enough rows for a statement, or the oldest has waited long enough. */
    boolean isDue() {
        return waiting.size() >= BATCH_ROWS
                || (!waiting.isEmpty() && nanoClock.getAsLong() - sinceNanos >= MAX_WAIT_NANOS);
    }

    /** Deletes waiting rows, one statement's at most. They wait again if the statement fails. */
    void sweep(OutboxConnection database, OutboxTable table, String timeline) throws SQLException {
        Long[] numbers = waiting.stream().limit(MAX_STATEMENT_ROWS).toArray(Long[]::new);
        long begunNanos = nanoClock.getAsLong();
        int deleted = table.delete(database, numbers, timeline);
        for (int i = 0; i < numbers.length; i++) {
            waiting.removeFirst();
        }
        sinceNanos = nanoClock.getAsLong();
        figures.deleted(deleted, sinceNanos - begunNanos, waiting.size());
    }

    /** The waiting numbers may mean other rows now. */
    void forget() {
        waiting.clear();
        figures.undeleted(0);
    }
}
