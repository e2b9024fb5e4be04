package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.ack.Settleable;
import io.microbatch.connect.stripe.ByteStripeWriter;
import io.microbatch.connect.stripe.StripeWriter;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * The way from one reader into its stripe, and of its acknowledgements back. Reader thread, but for {@link #close} and
 * {@link #depth}.
 *
 * @param <T> what is acknowledged
 */
abstract class Feed<T extends Settleable> {

    final AckLedger<T> ledger = new AckLedger<>();
    private final ArrayDeque<T> settled = new ArrayDeque<>();

    /** Makes the feed of a reader that has been given what to do while its stripe is full. */
    @FunctionalInterface
    interface Factory {
        Feed<?> create(Intake.Backpressure backpressure);
    }

    /** Has the reader bring what there is. */
    abstract void fetch() throws InterruptedException;

    /** Has the reader know that this is settled, and everything before it. */
    abstract void tell(T element) throws InterruptedException;

    /** Closes the stripe. Any thread. */
    abstract void close();

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

    static Feed<EventRecord> ofRecords(
            UpstreamReader reader,
            StripeWriter<EventRecord> stripe,
            LongSupplier nanoClock,
            Intake.Backpressure backpressure) {
        return new Feed<>() {
            private final Intake intake = new Intake(stripe, ledger, nanoClock, backpressure, reader);

            @Override
            void fetch() throws InterruptedException {
                reader.fetch(intake);
            }

            @Override
            void tell(EventRecord event) throws InterruptedException {
                reader.settled(event);
            }

            @Override
            void close() {
                stripe.close();
            }
        };
    }

    static Feed<EventRun> ofRuns(
            ByteReader reader, ByteStripeWriter<EventRun> stripe, Intake.Backpressure backpressure) {
        return new Feed<>() {
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
        };
    }
}
