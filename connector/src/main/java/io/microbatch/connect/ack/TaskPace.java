package io.microbatch.connect.ack;

/**
 * How a task is being served: when Connect last called poll, and how long an acknowledgement usually takes. Nobody
 * tells a task that it is paused or that a send does not return: it shows only as polls that stay away.
 *
 * <p>The task thread writes, any thread reads. Nanoseconds of the task's monotonic clock.
 */
public final class TaskPace {

    private volatile long polledNanos;
    private volatile long usualAckNanos;
    private volatile boolean atLeastOnce;

    /** A task that starts now, of which nothing was acknowledged yet. */
    public TaskPace(long nowNanos) {
        this.polledNanos = nowNanos;
    }

    /** Connect has called poll. */
    public void polled(long nowNanos) {
        polledNanos = nowNanos;
    }

    /** An acknowledgement usually takes so long. */
    public void usualAck(long nanos) {
        usualAckNanos = nanos;
    }

    /** The worker has acknowledged a batch in at-least-once mode: a batch costs no transaction. */
    public void atLeastOnce() {
        atLeastOnce = true;
    }

    /** Whether the worker is known to acknowledge in at-least-once mode. False before the first acknowledgement. */
    public boolean isAtLeastOnce() {
        return atLeastOnce;
    }

    /** When Connect last called poll. Before the first call, when the task started. */
    public long polledNanos() {
        return polledNanos;
    }

    /**
     * The median time from the return of a batch to its last acknowledgement, over at most ten seconds before the last
     * one. It is brought up to date once a second. 0 before the first, and after more than two seconds without one.
     */
    public long usualAckNanos() {
        return usualAckNanos;
    }
}
