package io.microbatch.connect.stripe;

/** Why the consumer came back from {@link StripeSet#await}; when several reasons hold, the first in this order. */
public enum Wake {
    /** As many events are buffered as were wanted. */
    COUNT,
    /** As many bytes are buffered as were wanted. */
    BYTES,
    /** A stripe that holds events answered {@link Offer#FULL} since it was last drained: its reader is held up. */
    FULL,
    /** Every stripe is closed, so nothing more will come; what is buffered can still be drained. */
    CLOSED,
    /** Somebody called {@link StripeSet#wake()}, or one of the stripes was closed. */
    WOKEN,
    /** The deadline passed. */
    DEADLINE
}
