package io.microbatch.connect.stripe;

/** The reason why {@link StripeSet#await} returns: the first one in this order that holds. */
public enum Wake {
    /** The wanted number of events is buffered. */
    COUNT,
    /** The wanted number of bytes is buffered. */
    BYTES,
    /** A stripe with events has returned {@link Offer#FULL} since its last drain, so its reader thread is blocked. */
    FULL,
    /** Every stripe is closed. Buffered events can still be drained. */
    CLOSED,
    /** A thread has called {@link StripeSet#wake()} or has closed a stripe. */
    WOKEN,
    /** A stripe with events has an earlier leave-by mark than the consumer knew. */
    MARKED,
    /** There are events, and the readers have announced a pause that lasts longer than the consumer would wait. */
    PAUSED,
    /** The deadline has passed. */
    DEADLINE
}
