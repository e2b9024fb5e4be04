package io.microbatch.connect.ack;

/**
 * What acknowledgements cost, carried from the acknowledging thread to the task thread: at most a few numbers a batch,
 * so that one lock is enough. Nanoseconds.
 */
public final class AckSignals {

    private long delayNanos;
    private long worstLatencyNanos;
    private boolean transactional;
    private boolean pending;
    private volatile Delivery delivery = Delivery.UNKNOWN;

    /** How Connect delivers, as far as its acknowledgements have shown. */
    public enum Delivery {
        /** Nothing was acknowledged yet. */
        UNKNOWN,
        /** Records are acknowledged by the producer's thread as they are sent. */
        AT_LEAST_ONCE,
        /** Records are acknowledged by the task's thread when their transaction has committed. */
        EXACTLY_ONCE;

        /** As configuration and files spell it. */
        public String text() {
            return switch (this) {
                case UNKNOWN -> "unknown";
                case AT_LEAST_ONCE -> "at-least-once";
                case EXACTLY_ONCE -> "exactly-once";
            };
        }
    }

    /** Takes what was signalled. */
    @FunctionalInterface
    public interface Sink {
        /** The longest of a few batches' delays and latencies; see {@link AckSignals}. */
        void acknowledged(long delayNanos, long worstLatencyNanos, boolean transactional);
    }

    /**
     * A delivered record that begins or ends its batch. Any thread.
     *
     * @param delayNanos from the batch's return to this acknowledgement; 0 if the record does not end a batch
     * @param latencyNanos from the event's arrival to this acknowledgement
     * @param onTaskThread whether the task's thread is the one that acknowledges
     */
    public synchronized void signal(long delayNanos, long latencyNanos, boolean onTaskThread) {
        this.delayNanos = Math.max(this.delayNanos, delayNanos);
        this.worstLatencyNanos = Math.max(this.worstLatencyNanos, latencyNanos);
        this.transactional = onTaskThread;
        pending |= delayNanos > 0;
        delivery = onTaskThread ? Delivery.EXACTLY_ONCE : Delivery.AT_LEAST_ONCE;
    }

    /** Gives the sink what whole batches signalled since the last call, if there is any. */
    public synchronized void drainTo(Sink sink) {
        if (pending) {
            sink.acknowledged(delayNanos, worstLatencyNanos, transactional);
            delayNanos = 0;
            worstLatencyNanos = 0;
            pending = false;
        }
    }

    /** How Connect delivers. Any thread. */
    public Delivery delivery() {
        return delivery;
    }
}
