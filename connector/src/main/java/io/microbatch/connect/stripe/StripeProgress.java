package io.microbatch.connect.stripe;

/**
 * How a stripe is doing, for metrics; any thread. The figures are read one after the other while both sides go on, so
 * that they need not agree with each other, but each is one the stripe really had. Totals count from the creation of
 * the stripe and only grow.
 */
public interface StripeProgress {
    /** Events buffered, from 0 to the capacity. Staged events count once they are published. */
    long sizeEvents();

    /** Bytes buffered; above the capacity only while one oversized event is alone in the stripe. */
    long sizeBytes();

    /** The most events the stripe holds. */
    int capacityEvents();

    /** The most bytes the stripe holds, except for one oversized event on its own. */
    long capacityBytes();

    /** Events published so far. */
    long offeredTotal();

    /** Events drained so far. */
    long drainedTotal();

    /** Offers answered {@link Offer#FULL} so far. */
    long fullTotal();
}
