package io.microbatch.connect.upstream;

/**
 * How far Connect is with what a reader has handed over, for the reader that is notified of it. Valid during the call
 * that it is an argument of, on that call's thread.
 */
public interface Progress {

    /** Events settled before this time, on the task's monotonic clock, have a durable source offset. */
    long durableBeforeNanos();

    /** How often Connect has committed offsets so far. */
    long commits();

    /**
     * Whether Connect is done with every event that the reader has brought. The reader knows of each, but for events
     * that transforms have filtered, of which an exactly-once worker says nothing yet.
     */
    boolean isAllSettled();

    /** Whether Connect has acknowledged every event that the reader has brought, and the reader knows of each. */
    boolean isAllAcknowledged();

    /**
     * Whether Connect has sent everything that the reader has handed over, or has filtered it, and has called poll
     * again. What the reader holds back does not count.
     */
    boolean isAllDispatched();

    /** Whether the worker is known to acknowledge what Kafka has without a transaction. */
    boolean isAtLeastOnce();

    /** Whether the reader's thread is still in a call that it made by {@link Intake#letThrough}. */
    boolean isDuringCall();

    /**
     * Whether settled events that are kept, because an earlier one is not settled, take as many bytes as a stripe may.
     */
    boolean isTooMuchKept();
}
