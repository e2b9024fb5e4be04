package io.microbatch.bench.micro;

import java.util.Locale;
import java.util.function.Supplier;

/** The ways that are compared, each at its best calls; {@code -each} publishes every event by itself. */
enum ByteHandoverKind {
    /** Events are copied into the ring one by one and published in runs of {@value ByteHandover#BURST_EVENTS}. */
    STRIPE(() -> new ByteStripeHandover(ByteHandover.BURST_EVENTS, false)),
    /** A block of events is copied at once and published. */
    STRIPE_BULK(() -> new ByteStripeHandover(ByteHandover.BURST_EVENTS, true)),
    /** Every event is a run. */
    STRIPE_EACH(() -> new ByteStripeHandover(1, false)),
    /** A new array for every burst, which is filled, handed over, and is the record: the design that was refused. */
    FRESH_BLOCKS(FreshBlocksHandover::new),
    /** Agrona's OneToOneRingBuffer: {@code write} and {@code read}, a message with a header for every event. */
    AGRONA(AgronaHandover::new),
    /** JCTools' SpscArrayQueue of copies: {@code offer} and {@code drain}. */
    JCTOOLS_SPSC(() -> QueueOfCopies.jctools()),
    /** The Disruptor's ring of arrays that exist beforehand, claimed and published in bursts. */
    DISRUPTOR(DisruptorBytesHandover::new),
    /** ConcurrentLinkedQueue of copies, with a bound beside it. */
    CLQ(() -> QueueOfCopies.linked());

    private final Supplier<ByteHandover> factory;

    ByteHandoverKind(Supplier<ByteHandover> factory) {
        this.factory = factory;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static ByteHandoverKind ofLabel(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    ByteHandover create() {
        return factory.get();
    }
}
