package io.microbatch.connect.stripe;

/** What became of an event that was offered to a stripe. A constant, so that the hot path neither boxes nor throws. */
public enum Offer {
    /** The stripe holds the event. */
    ACCEPTED,
    /** No room in events or in bytes; the stripe is as it was, and the same offer may succeed after a drain. */
    FULL,
    /** The stripe is closed and never accepts again. */
    CLOSED
}
