package io.microbatch.connect.stripe;

/** The result of an offer to a stripe: a constant, so that the hot path neither allocates nor throws. */
public enum Offer {
    /** The stripe holds the event. */
    ACCEPTED,
    /** The stripe has no room in events or in bytes and is unchanged. The same offer may succeed after a drain. */
    FULL,
    /** The stripe is closed and accepts no more events. */
    CLOSED
}
