package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.record.RecordSize;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.Space;
import io.microbatch.connect.stripe.StripeWriter;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Where a reader puts its events: wraps each as an {@link EventRecord}, notes it in the ledger and offers it to the
 * reader's stripe. Reader thread only.
 *
 * <p>Consecutive events of equal source partition and offset come from one upstream event (a delete and its tombstone,
 * a primary key that changed). If they were drained apart and the task ended in between, the committed offset would
 * name an event of which the rest was never sent. So such a run is staged in the stripe and published as a whole. A run
 * that is longer than the stripe must be published in parts.
 *
 * <p>A full stripe blocks, interruptibly, and meanwhile lets acknowledgements through.
 */
public final class Intake {

    private static final long WAIT_NANOS = 50_000_000;

    private final StripeWriter<EventRecord> stripe;
    private final AckLedger<EventRecord> ledger;
    private final LongSupplier nanoClock;
    private final Backpressure backpressure;

    /** Says what Connect is to get, and is told of every event before it can be seen by the drainer. */
    private final UpstreamReader reader;

    /** What is done while a stripe is full. */
    @FunctionalInterface
    interface Backpressure {
        /**
         * Lets acknowledgements through.
         *
         * @throws InterruptedException if the task stops
         */
        void whileFull() throws InterruptedException;
    }

    Intake(
            StripeWriter<EventRecord> stripe,
            AckLedger<EventRecord> ledger,
            LongSupplier nanoClock,
            Backpressure backpressure,
            UpstreamReader reader) {
        this.stripe = stripe;
        this.ledger = ledger;
        this.nanoClock = nanoClock;
        this.backpressure = backpressure;
        this.reader = reader;
    }

    /**
     * Takes what an upstream brought at once, in order. Returns when all of it is in the stripe and visible.
     *
     * @throws InterruptedException if the task stops while the stripe is full; the rest is not taken
     */
    public void addAll(List<? extends SourceRecord> records) throws InterruptedException {
        long arrivalNanos = nanoClock.getAsLong();
        SourceRecord previous = null;
        for (SourceRecord record : records) {
            if (previous != null && !EventRecord.sameOffset(previous, record)) {
                stripe.publish();
            }
            SourceRecord outgoing = reader.outgoing(record);
            stage(new EventRecord(record, outgoing, RecordSize.estimateBytes(outgoing), arrivalNanos));
            previous = record;
        }
        stripe.publish();
        stripe.signal();
    }

    /**
     * Takes one event that shares its offset with no other, of known size. Becomes visible at once; the drainer is only
     * told by {@link #signal}. The record itself is not kept: {@link UpstreamReader#settled} gets the event alone.
     *
     * @throws InterruptedException if the task stops while the stripe is full; the event is not taken
     */
    public void add(SourceRecord record, int sizeBytes, long arrivalNanos) throws InterruptedException {
        SourceRecord outgoing = reader.outgoing(record);
        int outgoingBytes = isItself(record, outgoing) ? sizeBytes : RecordSize.estimateBytes(outgoing);
        stage(EventRecord.withoutOrigin(record, outgoing, outgoingBytes, arrivalNanos));
        stripe.publish();
    }

    /** Identity is what is asked; equality would compare every value. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isItself(SourceRecord record, SourceRecord outgoing) {
        return record == outgoing;
    }

    /** Tells the drainer, if it waits for this, what {@link #add} made visible: once after a burst. */
    public void signal() {
        stripe.signal();
    }

    private void stage(EventRecord event) throws InterruptedException {
        reader.handingOver(event);
        ledger.append(event);
        Offer answer = stripe.stage(event, event.sizeBytes());
        while (answer != Offer.ACCEPTED) {
            if (answer == Offer.CLOSED) {
                throw new InterruptedException("The stripe is closed: the task stops");
            }
            backpressure.whileFull();
            if (stripe.awaitSpace(WAIT_NANOS) == Space.STAGED_ONLY) {
                stripe.publish();
            }
            answer = stripe.stage(event, event.sizeBytes());
        }
    }
}
