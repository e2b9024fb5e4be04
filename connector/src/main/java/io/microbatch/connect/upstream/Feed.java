package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.ack.Settleable;
import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.stripe.ByteStripeWriter;
import io.microbatch.connect.stripe.StripeProgress;
import io.microbatch.connect.stripe.StripeWriter;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * The way from one reader into its stripe, and of its acknowledgements back. Whichever thread has the turn, but for {@link #close} and
 * {@link #depth}.
 *
 * @param <T> what is acknowledged
 */
abstract class Feed<T extends Settleable> {

    /** What is on its way to Kafka may be as much again as what is in the stripe, before anything is let go. */
    private static final long HELD_STRIPES = 2;

    final AckLedger<T> ledger;
    private final ArrayDeque<T> settled = new ArrayDeque<>();

    private Feed(AckLedger<T> ledger) {
        this.ledger = ledger;
    }

    /** Makes the feed of a reader that has been given what to do while its stripe is full. */
    @FunctionalInterface
    interface Factory {
        Feed<?> create(Intake.Backpressure backpressure, Turn turn);
    }

    /** Has the reader bring what there is. */
    abstract void fetch() throws InterruptedException;

    /** Has the reader know that this is settled, and everything before it. */
    abstract void tell(T element) throws InterruptedException;

    /** Closes the stripe. Any thread. */
    abstract void close();

    /** How the stripe is doing. Any thread. */
    abstract StripeProgress stripe();

    /** Whether events were brought that are not handed over before the upstream brings more. */
    abstract boolean isHolding();

    /** Whether Connect is done with all that was handed over, and the reader was told of it. */
    final boolean isAllTold() {
        return settled.isEmpty() && ledger.isEmpty();
    }

    /** Whether settled events that wait for an earlier one take as many bytes as the stripe may. */
    final boolean isTooMuchKept() {
        return ledger.keptBytes() > stripe().capacityBytes();
    }

    /** Takes the settled prefix off the ledger, for {@link #tellNext}. */
    final void drainSettled() {
        int ignored = ledger.drainSettled(settled::addLast);
    }

    /** Tells the next of them, in the order of the upstream; false if there is none. */
    final boolean tellNext() throws InterruptedException {
        T next = settled.pollFirst();
        if (next == null) {
            return false;
        }
        tell(next);
        return true;
    }

    /** How many events Connect is not done with. Any thread. */
    final int depth() {
        return ledger.depth();
    }

    static Feed<SettledEvent> ofRecords(
            UpstreamReader reader,
            StripeWriter<EventRecord> stripe,
            LongSupplier nanoClock,
            Intake.Backpressure backpressure,
            Turn turn) {
        long maxHeldBytes = HELD_STRIPES * stripe.progress().capacityBytes();
        return new Feed<>(new AckLedger<>(maxHeldBytes, event -> reader.kept().of(event))) {
            private final Intake intake = new Intake(stripe, ledger, nanoClock, backpressure, reader, turn);

            @Override
            void fetch() throws InterruptedException {
                reader.fetch(intake);
            }

            @Override
            void tell(SettledEvent event) throws InterruptedException {
                reader.settled(event);
            }

            @Override
            void close() {
                stripe.close();
            }

            @Override
            StripeProgress stripe() {
                return stripe.progress();
            }

            @Override
            boolean isHolding() {
                return intake.isHolding();
            }
        };
    }

    static Feed<EventRun> ofRuns(
            ByteReader reader, ByteStripeWriter<EventRun> stripe, Intake.Backpressure backpressure) {
        return new Feed<>(new AckLedger<>()) {
            private final ByteIntake intake = new ByteIntake(stripe, ledger, backpressure);

            @Override
            void fetch() throws InterruptedException {
                reader.fetch(intake);
            }

            @Override
            void tell(EventRun run) throws InterruptedException {
                reader.settled(run);
            }

            @Override
            void close() {
                stripe.close();
            }

            @Override
            StripeProgress stripe() {
                return stripe.progress();
            }

            @Override
            boolean isHolding() {
                return false;
            }
        };
    }
}
