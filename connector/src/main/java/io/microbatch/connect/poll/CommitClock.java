package io.microbatch.connect.poll;

/**
 * Limits a poll without events so that Connect can end an open transaction in time. With
 * {@code transaction.boundary=interval} Connect looks at its clock only when a poll has returned, an empty one too.
 * So a poll that waits beyond the end of the interval delays the commit of events that were returned before.
 *
 * <p>Connect counts the interval from the moment at which the last commit began. A task sees the end of a commit, and
 * knows that it began after the poll before it returned. So the interval is over one interval after that return at the
 * earliest. If Connect has not committed by then, its poll took some time to send. The next polls then wait for as
 * long as that moment is past, at least {@value #MIN_WAIT_MS} ms. So the commit is late by no more than the sending
 * took, and a worker that never commits is not polled more and more often.
 *
 * <p>Task thread only; nanoseconds of the task's clock.
 */
public final class CommitClock {

    /** For transactions that do not end by Connect's clock, or whose interval is not known. */
    public static final long NO_INTERVAL = Long.MAX_VALUE / 4;

    private static final long MIN_WAIT_MS = 1;
    private static final long MIN_WAIT_NANOS = MIN_WAIT_MS * 1_000_000;

    private final long intervalNanos;

    /** When the last poll returned. Before the first one, when the task started. */
    private long returnedNanos;

    /** When the last commit began, or earlier. */
    private long commitBeganNanos;

    /** Whether a batch was returned after the last commit. */
    private boolean open;

    /**
     * Starts the clock, as Connect does when a task has started.
     *
     * @param intervalNanos the length of Connect's interval, or {@link #NO_INTERVAL}
     * @param nowNanos the time now
     */
    public CommitClock(long intervalNanos, long nowNanos) {
        this.intervalNanos = intervalNanos;
        this.returnedNanos = nowNanos;
        this.commitBeganNanos = nowNanos;
    }

    /** A poll returns, with or without a batch. */
    public void polled(long nowNanos, boolean withBatch) {
        returnedNanos = nowNanos;
        if (!open && !withBatch && nowNanos - commitBeganNanos >= intervalNanos) {
            // Connect notes the time of an empty commit too, although it does not report one.
            commitBeganNanos = nowNanos;
        }
        open |= withBatch;
    }

    /** Connect has committed everything that was returned so far. */
    public void committed() {
        commitBeganNanos = returnedNanos;
        open = false;
    }

    /** How long the next poll may wait: this limit, or less. */
    public long maxWaitNanos(long nowNanos, long limitNanos) {
        if (!open) {
            return limitNanos;
        }
        long leftNanos = commitBeganNanos + intervalNanos - nowNanos;
        return Math.min(limitNanos, Math.max(MIN_WAIT_NANOS, Math.abs(leftNanos)));
    }
}
