package io.microbatch.connect.ack;

/**
 * Knows how old an acknowledgement must be for its source offset to be durable in Kafka too, which Connect never says.
 *
 * <p>In at-least-once mode an acknowledged record's offset is written up to {@code offset.flush.interval.ms} later.
 * What the worker will write at its next flush is what it collected right before its last call of poll; and a flush
 * has ended when commit is called. So an acknowledgement that was there at the poll <em>before</em> the last one is
 * collected, and what was collected when the <em>previous</em> commit was called is durable by this one. An upstream
 * may throw away what is older than that and nothing else. Under exactly-once the offset commits with the record, and
 * the same rule merely lags by one transaction.
 *
 * <p>Times are readings of the task's monotonic clock. {@link #polled} on the task thread, {@link #committed} on
 * whichever thread Connect commits from, {@link #durableBeforeNanos} on any.
 */
public final class CommitHorizon {

    private long lastPollNanos;
    private volatile long collectedBeforeNanos;
    private volatile long collectedAtLastCommitNanos;
    private volatile long durableBeforeNanos;
    private volatile long commits;
    private volatile boolean atLeastOnce;

    /** Nothing is durable yet. */
    public CommitHorizon(long nowNanos) {
        lastPollNanos = nowNanos;
        collectedBeforeNanos = nowNanos;
        collectedAtLastCommitNanos = nowNanos;
        durableBeforeNanos = nowNanos;
    }

    /** Connect has entered poll. */
    public void polled(long nowNanos) {
        collectedBeforeNanos = lastPollNanos;
        lastPollNanos = nowNanos;
    }

    /**
     * Connect has called commit. One caller at a time but for a final commit that may overlap a running one; then the
     * horizon moves less far, never too far.
     */
    public synchronized void committed() {
        durableBeforeNanos = collectedAtLastCommitNanos;
        collectedAtLastCommitNanos = collectedBeforeNanos;
        commits = commits + 1;
    }

    /** A thread other than the task's has acknowledged what Kafka has, which only an at-least-once worker does. Any thread. */
    public void acknowledgedAtLeastOnce() {
        if (!atLeastOnce) {
            atLeastOnce = true;
        }
    }

    /** Whether the worker is known to deliver at least once; false while nothing is known. Any thread. */
    public boolean isAtLeastOnce() {
        return atLeastOnce;
    }

    /** How often Connect has committed. Any thread. */
    public long commits() {
        return commits;
    }

    /** Records settled before this time have a durable source offset. */
    public long durableBeforeNanos() {
        return durableBeforeNanos;
    }
}
