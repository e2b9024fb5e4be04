package io.microbatch.connect.stripe;

/** Why a reader thread came back from waiting for room. */
public enum Space {
    /** The consumer took something since the stripe answered {@link Offer#FULL}: offer again. */
    FREED,
    /** The time was up. */
    TIMED_OUT,
    /** Staged events alone fill the stripe, so no drain can make room: publish them first. */
    STAGED_ONLY,
    /** The stripe was closed. */
    CLOSED
}
