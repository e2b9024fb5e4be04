package io.microbatch.bench.micro;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * The queues that are compared. The plain name is a queue at its best calls, which for those that can means bursts of
 * {@value #BURST_EVENTS} on the producer's side: that is how a reader thread, which gets its events in lists, feeds a
 * stripe. The names that end in {@code -each} publish every event by itself.
 */
enum HandoverKind {
    /** Stage a burst, publish it once; drain in batches. */
    STRIPE(() -> new StripeHandover(HandoverKind.BURST_EVENTS)),
    /** Offer every event; drain in batches. */
    STRIPE_EACH(() -> new StripeHandover(1)),
    /** {@code fill} by bursts and {@code drain}. */
    JCTOOLS_SPSC(() -> new JctoolsHandover(HandoverKind.BURST_EVENTS)),
    /** {@code offer} and {@code drain}. */
    JCTOOLS_SPSC_EACH(() -> new JctoolsHandover(1)),
    /** Claim and publish a burst; poll in batches. */
    DISRUPTOR(() -> new DisruptorHandover(HandoverKind.BURST_EVENTS)),
    /** Claim and publish every event; poll in batches. */
    DISRUPTOR_EACH(() -> new DisruptorHandover(1)),
    /** ConcurrentLinkedQueue with a bound beside it. */
    CLQ(ClqHandover::new),
    /** ArrayBlockingQueue: {@code offer} and {@code drainTo}. */
    ABQ(AbqHandover::new);

    static final int BURST_EVENTS = 64;

    private final Supplier<Handover> factory;

    HandoverKind(Supplier<Handover> factory) {
        this.factory = factory;
    }

    /** The name in parameters and results: {@code jctools-spsc}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static HandoverKind ofLabel(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    Handover create() {
        return factory.get();
    }
}
