package io.microbatch.connect.ack;

/**
 * Passes the delays of acknowledgements from the acknowledging thread to the task thread. There are only a few per
 * batch, so one lock is enough. Nanoseconds.
 */
public final class AckSignals {

    private long delayNanos;
    private long worstLatencyNanos;
    private boolean transactional;
    private boolean pending;
    private volatile Delivery delivery = Delivery.UNKNOWN;

    /** The worker's delivery mode, as its acknowledgements show it. */
    public enum Delivery {
        /** No record was acknowledged yet. */
        UNKNOWN,
        /** The producer's thread acknowledges each record. */
        AT_LEAST_ONCE,
        /** The task thread acknowledges records after their transaction has committed. */
        EXACTLY_ONCE;

        /** The spelling in configuration and files. */
        public String text() {
            return switch (this) {
                case UNKNOWN -> "unknown";
                case AT_LEAST_ONCE -> "at-least-once";
                case EXACTLY_ONCE -> "exactly-once";
            };
        }
    }

    /** Receives the signals. */
    @FunctionalInterface
    public interface Sink {
        /** Receives the longest delay and latency since the last call, as in {@link AckSignals#signal}. */
        void acknowledged(long delayNanos, long worstLatencyNanos, boolean transactional);
    }

    /**
     * Signals a delivered record that is the oldest or the last of its batch. Any thread.
     *
     * @param delayNanos from the batch's return to this acknowledgement; 0 if the record does not end a batch
     * @param latencyNanos from the event's arrival to this acknowledgement
     * @param onTaskThread whether the task thread acknowledges
     */
    public synchronized void signal(long delayNanos, long latencyNanos, boolean onTaskThread) {
        this.delayNanos = Math.max(this.delayNanos, delayNanos);
        this.worstLatencyNanos = Math.max(this.worstLatencyNanos, latencyNanos);
        this.transactional = onTaskThread;
        pending |= delayNanos > 0;
        delivery = onTaskThread ? Delivery.EXACTLY_ONCE : Delivery.AT_LEAST_ONCE;
    }

    /** Passes the signals since the last call to the sink, if a batch has ended. */
    public synchronized void drainTo(Sink sink) {
        if (pending) {
            sink.acknowledged(delayNanos, worstLatencyNanos, transactional);
            delayNanos = 0;
            worstLatencyNanos = 0;
            pending = false;
        }
    }

    public Delivery delivery() {
        return delivery;
    }
}
