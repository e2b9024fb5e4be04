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
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Takes the events of a reader: converts each, makes an {@link EventRecord} of it, appends it to the ledger and stages
 * it in the reader's stripe. Reader thread only.
 *
 * <p>Consecutive events of equal source partition and offset (a run) come from one upstream event, for example a delete
 * and its tombstone. If they were drained apart and the task ended in between, the committed offset would name an event
 * of which the rest was never sent. So a run is gathered, staged and published as a whole. Only a run that is longer
 * than the stripe is published in parts.
 *
 * <p>A run whose last event is {@linkplain EventRecord#keepWithNext kept with the next} is published together with the
 * runs that follow, as far as the stripe holds them.
 *
 * <p>A run may continue in the upstream's next events. It is then held until {@link #addAll} gets another offset, or
 * until {@link #endRun}. A run that is held when the reader ends, or at {@link #dropRun}, is never handed over. Its
 * offset was not committed, so that it is read again.
 *
 * <p>A full stripe blocks and lets acknowledgements through. If the task stops meanwhile, the methods throw
 * InterruptedException and do not take the remaining events.
 */
public final class Intake {

    private static final long WAIT_NANOS = 50_000_000;

    private final StripeWriter<EventRecord> stripe;
    private final AckLedger ledger;
    private final LongSupplier nanoClock;
    private final Backpressure backpressure;

    private final RecordConversion conversion;
    private final Turn turn;

    /** When the upstream was heard last. Written by the reader thread, read by any. */
    private volatile long heardNanos;

    /** The current run: consecutive events of equal source offset. */
    private final List<EventRecord> run = new ArrayList<>();

    private long runBytes;

    /** Whether the records of an upstream call are not all taken: a call that fails leaves it so. */
    private boolean taking;

    /** The function of the latest {@link #addAll}. */
    private Consumer<? super EventRecord> handOver = event -> {};

    /** A call by a reader that may wait for acknowledgements. */
    @FunctionalInterface
    public interface Call<T> {
        /** Makes the call. Throws InterruptedException if the task stops. */
        T call() throws InterruptedException;
    }

    /** Runs while a stripe is full, or a conversion is retried. */
    @FunctionalInterface
    public interface Backpressure {
        /** Lets acknowledgements through. Throws InterruptedException if the task stops. */
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
        this.backpressure = () -> {
            backpressure.acknowledgeMeanwhile();
            heard();
            if (stripe.isClosed()) {
                throw new InterruptedException("The task stops");
            }
        };
        this.conversion = conversion;
        this.turn = turn;
        this.heardNanos = nanoClock.getAsLong();
    }

    /**
     * The upstream has answered, even if without events, or the reader does not listen to it at present. Taking events
     * implies this. While a stripe is full or a conversion is retried, the upstream counts as heard, because its
     * silence is ours.
     */
    public void heard() {
        heardNanos = nanoClock.getAsLong();
    }

    /** The time since the upstream was heard, in milliseconds. Any thread. */
    double silentMs() {
        return Math.max(0, nanoClock.getAsLong() - heardNanos) / 1e6;
    }

    /**
     * Makes a call that may wait for acknowledgements. During the call a second thread may notify the reader of them.
     * The call may not use this intake.
     */
    public <T> T letThrough(Call<T> call) throws InterruptedException {
        return turn.leaveDuring(call);
    }

    /**
     * Takes the records of one upstream call, in order. Returns when all of them are in the stripe and visible, except
     * a last run that may continue. The function gets each event before the task can see it, and may keep it with the
     * next one, unless it is the last.
     *
     * @param lastRunMayContinue whether the next records may have the source offset of the last record
     * @param nextNanos as for {@link #pausesUntil}
     */
    public void addAll(
            List<? extends SourceRecord> records,
            boolean lastRunMayContinue,
            long nextNanos,
            Consumer<? super EventRecord> beforeVisible)
            throws InterruptedException {
        long nowNanos = nanoClock.getAsLong();
        heardNanos = nowNanos;
        taking = true;
        take(records, nowNanos, beforeVisible);
        if (!lastRunMayContinue) {
            publishRun();
        }
        taking = false;
        notifyTask(nextNanos, nowNanos);
    }

    /**
     * Announces that no event is expected before this time, so that the task does not wait in vain for one. The held
     * run is not expected before it either. If an event comes earlier, a batch was smaller than it had to be. Notifies
     * the task of the published events too.
     *
     * @param nextNanos the time, on the task's monotonic clock; one that has passed says nothing
     */
    public void pausesUntil(long nextNanos) {
        notifyTask(nextNanos, nanoClock.getAsLong());
    }

    private void notifyTask(long nextNanos, long nowNanos) {
        if (nextNanos - nowNanos > 0) {
            stripe.pausesUntil(nextNanos);
        } else {
            stripe.signal();
        }
    }

    /**
     * Takes the records of one request, as one run: they have equal source partition and offset, and the run does not
     * continue. Returns when all of them are in the stripe and visible. The function gets each event before the task
     * can see it.
     *
     * <p>Throws ConnectException, and takes nothing, if the records are no run or a stripe does not hold them together:
     * the client is told that all of them are in one transaction.
     *
     * @param arrivalNanos the time at which the upstream got the request, on the task's monotonic clock
     * @param leaveByNanos as for {@link #leaveBy}
     */
    public void addAll(
            List<? extends SourceRecord> run,
            long arrivalNanos,
            long leaveByNanos,
            Consumer<? super EventRecord> beforeVisible)
            throws InterruptedException {
        heard();
        endRun(nanoClock.getAsLong());
        handOver = beforeVisible;
        for (SourceRecord record : run) {
            gather(record, arrivalNanos);
        }
        if (!isWhole()) {
            dropRun();
            throw new ConnectException("A request of " + run.size() + " records is larger than a stripe, or has several"
                    + " source offsets");
        }
        publishRun();
        leaveBy(leaveByNanos);
    }

    /**
     * Ends the linger of everything that was published so far, at this time at the latest. It never makes the linger
     * longer, and does not shorten the pause that the task keeps after a transaction.
     *
     * @param leaveByNanos the time, on the task's monotonic clock; it may have passed
     */
    public void leaveBy(long leaveByNanos) {
        stripe.leaveBy(leaveByNanos);
    }

    private void take(
            List<? extends SourceRecord> records, long arrivalNanos, Consumer<? super EventRecord> beforeVisible)
            throws InterruptedException {
        handOver = beforeVisible;
        for (SourceRecord record : records) {
            if (!run.isEmpty() && (isLongest() || !EventRecord.sameOffset(run.get(run.size() - 1), record))) {
                publishRun();
            }
            gather(record, arrivalNanos);
        }
    }

    private void gather(SourceRecord record, long arrivalNanos) throws InterruptedException {
        SourceRecord outgoing = conversion.convert(record, backpressure);
        int sizeBytes = sizeBytes(record, outgoing);
        run.add(
                outgoing instanceof DeadLetterRecord
                        ? EventRecord.deadLetter(record, outgoing, sizeBytes, arrivalNanos)
                        : new EventRecord(record, outgoing, sizeBytes, arrivalNanos));
        runBytes += sizeBytes;
    }

    /** Whether the gathered records are one run that a stripe holds. One record alone is held at any size. */
    private boolean isWhole() {
        StripeProgress bounds = stripe.progress();
        boolean isHeld = run.size() <= bounds.capacityEvents() && runBytes <= bounds.capacityBytes();
        return (isHeld || run.size() <= 1) && run.stream().allMatch(event -> EventRecord.sameOffset(run.get(0), event));
    }

    /**
     * Publishes the run that is held, if there is one, because it does not continue.
     *
     * @param nextNanos as for {@link #pausesUntil}
     */
    public void endRun(long nextNanos) throws InterruptedException {
        if (!run.isEmpty()) {
            publishRun();
        }
        pausesUntil(nextNanos);
    }

    /** Drops the run that is held, if there is one, because the upstream restarts at the committed offset. */
    public void dropRun() {
        run.clear();
        runBytes = 0;
    }

    /**
     * Whether the upstream has handed over records that the task cannot see: a run is held, or {@link #addAll} has
     * failed before it had taken all.
     */
    boolean isHolding() {
        return taking || !run.isEmpty();
    }

    /** Lets the task return the published events immediately. The upstream provides no more events before that. */
    public void requestDrain() {
        stripe.signalToDrain();
    }

    /** Ends the wait of the task thread for events, or its next one: there is something else to do. */
    public void wakeTask() {
        stripe.wakeConsumer();
    }

    /** Whether the run would not fit into the stripe if it were longer. */
    private boolean isLongest() {
        StripeProgress bounds = stripe.progress();
        return run.size() >= bounds.capacityEvents() || runBytes >= bounds.capacityBytes();
    }

    private void publishRun() throws InterruptedException {
        for (EventRecord event : run) {
            handOver.accept(event);
            stage(event);
        }
        if (run.isEmpty() || !run.get(run.size() - 1).isKeptWithNext()) {
            stripe.publish();
        }
        dropRun();
    }

    /**
     * Takes one event of known size that shares its offset with no other event. It becomes visible immediately, but the
     * consumer is only notified by {@link #signal}. The record is not kept, so that {@link UpstreamReader#settled} gets
     * the event without it.
     */
    public void add(SourceRecord record, int sizeBytes, long arrivalNanos) throws InterruptedException {
        SourceRecord outgoing = conversion.convert(record, backpressure);
        int outgoingBytes = isItself(record, outgoing) ? sizeBytes : RecordSize.estimateBytes(outgoing);
        stage(EventRecord.withoutOrigin(record, outgoing, outgoingBytes, arrivalNanos));
        stripe.publish();
    }

    /**
     * The estimated size of the outgoing record. If it replaces the upstream's record, the size of both, because the
     * original is kept for its acknowledgement.
     */
    private static int sizeBytes(SourceRecord record, SourceRecord outgoing) {
        int outgoingBytes = RecordSize.estimateBytes(outgoing);
        if (isItself(record, outgoing)) {
            return outgoingBytes;
        }
        return (int) Math.min(Integer.MAX_VALUE, (long) outgoingBytes + RecordSize.estimateBytes(record));
    }

    /** Compares identity, because equality would compare every value. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isItself(SourceRecord record, SourceRecord outgoing) {
        return record == outgoing;
    }

    /** Notifies a waiting consumer of the events from {@link #add}. Called once after a burst. */
    public void signal() {
        heard();
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
