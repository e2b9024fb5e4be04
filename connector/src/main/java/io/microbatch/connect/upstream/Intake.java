package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.common.RecordSize;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.Space;
import io.microbatch.connect.stripe.StripeProgress;
import io.microbatch.connect.stripe.StripeWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Where a reader puts its events: has each converted, wraps it as an {@link EventRecord}, appends it to the ledger and
 * stages it in the reader's stripe. Reader thread only.
 *
 * <p>Consecutive events of equal source partition and offset come from one upstream event (a delete and its tombstone,
 * a primary key that changed). If they were drained apart and the task ended in between, the committed offset would
 * name an event of which the rest was never sent. So such a run is gathered, staged in the stripe and published as a
 * whole. A run that is longer than the stripe must be published in parts.
 *
 * <p>A run may go on in what the upstream brings next. Then it is kept until {@link #addAll} brings another offset, or
 * {@link #endRun}. What is kept when the reader ends, or at {@link #dropRun}, is never handed over: its offset was not
 * committed, so it is read again.
 *
 * <p>A full stripe blocks, interruptibly, and meanwhile lets acknowledgements through.
 */
public final class Intake {

    private static final long WAIT_NANOS = 50_000_000;

    private final StripeWriter<EventRecord> stripe;
    private final AckLedger ledger;
    private final LongSupplier nanoClock;
    private final Backpressure backpressure;

    private final RecordConversion conversion;
    private final Turn turn;

    /** Consecutive events of equal source offset, of which the last was brought last. */
    private final List<EventRecord> run = new ArrayList<>();

    private long runBytes;

    /** A call of a reader's that may wait for acknowledgements. */
    @FunctionalInterface
    public interface Call<T> {
        /**
         * Calls.
         *
         * @throws InterruptedException if the task stops
         */
        T call() throws InterruptedException;
    }

    /** What is done while a stripe is full. */
    @FunctionalInterface
    public interface Backpressure {
        /**
         * Lets acknowledgements through.
         *
         * @throws InterruptedException if the task stops
         */
        void acknowledgeMeanwhile() throws InterruptedException;
    }

    Intake(
            StripeWriter<EventRecord> stripe,
            AckLedger ledger,
            LongSupplier nanoClock,
            Backpressure backpressure,
            RecordConversion conversion,
            Turn turn) {
        this.stripe = stripe;
        this.ledger = ledger;
        this.nanoClock = nanoClock;
        this.backpressure = backpressure;
        this.conversion = conversion;
        this.turn = turn;
    }

    /**
     * Makes a call that may wait for acknowledgements. While it lasts, a second thread may notify the reader of them.
     * The call may use nothing of this intake.
     *
     * @throws InterruptedException if the call throws it
     */
    public <T> T letThrough(Call<T> call) throws InterruptedException {
        return turn.leaveDuring(call);
    }

    /**
     * Takes what an upstream brought at once, in order. Returns when all of it is in the stripe and visible, but for a
     * last run that may go on.
     *
     * @param lastRunMayGoOn whether what comes next may have the source offset of the last record
     * @throws InterruptedException if the task stops while the stripe is full; the rest is not taken
     */
    public void addAll(List<? extends SourceRecord> records, boolean lastRunMayGoOn) throws InterruptedException {
        addAll(records, lastRunMayGoOn, event -> {});
    }

    /**
     * As {@link #addAll(List, boolean)}.
     *
     * @param beforeVisible gets each event before the task can see it
     */
    public void addAll(
            List<? extends SourceRecord> records, boolean lastRunMayGoOn, Consumer<? super EventRecord> beforeVisible)
            throws InterruptedException {
        long arrivalNanos = nanoClock.getAsLong();
        for (SourceRecord record : records) {
            if (!run.isEmpty() && (isLongest() || !EventRecord.sameOffset(run.get(run.size() - 1), record))) {
                publishRun();
            }
            SourceRecord outgoing = conversion.convert(record, backpressure);
            int sizeBytes = sizeBytes(record, outgoing);
            EventRecord event = new EventRecord(record, outgoing, sizeBytes, arrivalNanos);
            beforeVisible.accept(event);
            run.add(event);
            runBytes += sizeBytes;
        }
        if (!lastRunMayGoOn) {
            publishRun();
        }
        stripe.signal();
    }

    /**
     * The run that is kept does not go on, if one is: makes it visible.
     *
     * @throws InterruptedException if the task stops while the stripe is full
     */
    public void endRun() throws InterruptedException {
        if (!run.isEmpty()) {
            publishRun();
            stripe.signal();
        }
    }

    /** The upstream begins anew behind what was committed, and brings the run that is kept again, if one is. */
    public void dropRun() {
        run.clear();
        runBytes = 0;
    }

    /** Whether a run is kept. */
    boolean isHolding() {
        return !run.isEmpty();
    }

    /** Has what was handed over go out at once: the upstream brings nothing more before. */
    public void goOut() {
        stripe.signalToDrain();
    }

    /** A longer one would not fit into the stripe. */
    private boolean isLongest() {
        StripeProgress bounds = stripe.progress();
        return run.size() >= bounds.capacityEvents() || runBytes >= bounds.capacityBytes();
    }

    private void publishRun() throws InterruptedException {
        for (EventRecord event : run) {
            stage(event);
        }
        stripe.publish();
        dropRun();
    }

    /**
     * Takes one event that shares its offset with no other, of known size. It becomes visible at once; the consumer is
     * notified by {@link #signal} only. The record itself is not kept: {@link UpstreamReader#settled} gets the event
     * alone.
     *
     * @throws InterruptedException if the task stops while the stripe is full; the event is not taken
     */
    public void add(SourceRecord record, int sizeBytes, long arrivalNanos) throws InterruptedException {
        SourceRecord outgoing = conversion.convert(record, backpressure);
        int outgoingBytes = isItself(record, outgoing) ? sizeBytes : RecordSize.estimateBytes(outgoing);
        stage(EventRecord.withoutOrigin(record, outgoing, outgoingBytes, arrivalNanos));
        stripe.publish();
    }

    /** Of both, where another record stands for the upstream's own, which is kept for its acknowledgement. */
    private static int sizeBytes(SourceRecord record, SourceRecord outgoing) {
        int outgoingBytes = RecordSize.estimateBytes(outgoing);
        if (isItself(record, outgoing)) {
            return outgoingBytes;
        }
        return (int) Math.min(Integer.MAX_VALUE, (long) outgoingBytes + RecordSize.estimateBytes(record));
    }

    /** Identity is what is asked; equality would compare every value. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isItself(SourceRecord record, SourceRecord outgoing) {
        return record == outgoing;
    }

    /** Notifies the consumer, if it waits, of what {@link #add} made visible: once after a burst. */
    public void signal() {
        stripe.signal();
    }

    private void stage(EventRecord event) throws InterruptedException {
        ledger.append(event);
        Offer answer = stripe.stage(event, event.sizeBytes());
        while (answer != Offer.ACCEPTED) {
            if (answer == Offer.CLOSED) {
                throw new InterruptedException("The stripe is closed: the task stops");
            }
            backpressure.acknowledgeMeanwhile();
            if (stripe.awaitSpace(WAIT_NANOS) == Space.STAGED_ONLY) {
                stripe.publish();
            }
            answer = stripe.stage(event, event.sizeBytes());
        }
    }
}
