package io.microbatch.connect.stripe;

/** The reason why a reader thread no longer waits for room. */
public enum Space {
    /** The consumer has taken events since the last {@link Offer#FULL}: offer again. */
    FREED,
    /** The time limit has passed. */
    TIMED_OUT,
    /** Staged events alone fill the stripe, so no drain can make room: publish them first. */
    STAGED_ONLY,
    /** The stripe was closed. */
    CLOSED
}
