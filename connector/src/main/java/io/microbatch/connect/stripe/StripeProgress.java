package io.microbatch.connect.stripe;

/**
 * The figures of a stripe, for metrics. Any thread. Each figure is correct at some moment of its call, but several
 * figures need not agree, because both sides continue. Totals count from the creation of the stripe and only increase.
 */
public interface StripeProgress {
    /** Buffered events, from 0 to the capacity. Staged events count when they are published. */
    long sizeEvents();

    /** Buffered bytes. They exceed the capacity only while one oversized event is alone in the stripe. */
    long sizeBytes();

    /** The maximum number of events. */
    int capacityEvents();

    /** The maximum bytes, except for a single oversized event. */
    long capacityBytes();

    /** The total of published events. */
    long offeredTotal();

    /** The total of drained events. */
    long drainedTotal();

    /** The total of offers that returned {@link Offer#FULL}. */
    long fullTotal();
}
