package io.microbatch.connect.ack;

/**
 * The point in time up to which acknowledged events have a durable source offset in Kafka. Connect never reports it.
 *
 * <p>In at-least-once mode Connect writes an acknowledged record's offset up to {@code offset.flush.interval.ms} later.
 * The next flush writes what the worker collected immediately before its last call of poll, and a flush has ended when
 * Connect calls commit. So acknowledgements that existed at the poll <em>before</em> the last one are collected, and
 * those that were collected at the <em>previous</em> commit are durable at this one. An upstream may discard older
 * events, and no others. Under exactly-once the offset commits with the record, and the same rule only lags by one
 * transaction.
 *
 * <p>Times are readings of the task's monotonic clock. The task thread calls {@link #polled}, any thread of Connect
 * {@link #committed}, and any thread {@link #durableBeforeNanos}.
 */
public final class DurableWatermark {

    private long lastPollNanos;
    private volatile long collectedBeforeNanos;
    private volatile long collectedAtLastCommitNanos;
    private volatile long durableBeforeNanos;
    private volatile long commits;
    private volatile boolean atLeastOnce;

    /** Nothing is durable yet. */
    public DurableWatermark(long nowNanos) {
        lastPollNanos = nowNanos;
        collectedBeforeNanos = nowNanos;
        collectedAtLastCommitNanos = nowNanos;
        durableBeforeNanos = nowNanos;
    }

    /** Connect has called poll. */
    public void polled(long nowNanos) {
        collectedBeforeNanos = lastPollNanos;
        lastPollNanos = nowNanos;
    }

    /**
     * Connect has called commit. A final commit may overlap a running one. The watermark then advances less, but never
     * too far.
     */
    public synchronized void committed() {
        durableBeforeNanos = collectedAtLastCommitNanos;
        collectedAtLastCommitNanos = collectedBeforeNanos;
        commits = commits + 1;
    }

    /**
     * A thread other than the task's has acknowledged a record or committed offsets: only at-least-once workers do
     * that. Any thread.
     */
    public void acknowledgedAtLeastOnce() {
        if (!atLeastOnce) {
            atLeastOnce = true;
        }
    }

    /** Whether the worker is known to deliver at least once. False while that is unknown. Any thread. */
    public boolean isAtLeastOnce() {
        return atLeastOnce;
    }

    /** The number of Connect's commits. Any thread. */
    public long commits() {
        return commits;
    }

    /** Records settled before this time have a durable source offset. */
    public long durableBeforeNanos() {
        return durableBeforeNanos;
    }
}
