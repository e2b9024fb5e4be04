package io.microbatch.connect.upstream;

/**
 * Reports to a reader how far Connect is with its events. Valid during the call that it is an argument of, on that
 * call's thread.
 */
public interface Progress {

    /** Events settled before this time, on the task's monotonic clock, have a durable source offset. */
    long durableBeforeNanos();

    /** The number of Connect's offset commits. */
    long commits();

    /**
     * Whether Connect is done with every event of the reader. The reader was notified of each, except events that
     * transforms have filtered and that an exactly-once worker has not reported yet.
     */
    boolean isAllSettled();

    /** Whether Connect has acknowledged every event of the reader, and the reader was notified of each. */
    boolean isAllAcknowledged();

    /**
     * Whether Connect has sent or filtered everything that the reader has handed over, and has called poll again.
     * Events that the reader holds back do not count.
     */
    boolean isAllDispatched();

    /** Whether the worker is known to acknowledge what Kafka has without a transaction. */
    boolean isAtLeastOnce();

    /** Whether the reader's thread is in a call by {@link Intake#letThrough}. */
    boolean isDuringCall();
}
