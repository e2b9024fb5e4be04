package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.ack.RunPlace;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.stripe.ByteRing;
import io.microbatch.connect.stripe.ByteStripeWriter;
import io.microbatch.connect.stripe.Space;
import java.util.Map;

/**
 * Where a reader puts events that are bytes: frames each into the reader's stripe, and publishes those of one source
 * partition together as a run, with the offset behind the last of them. Reader thread only.
 *
 * <p>A run goes into one record. What must not be torn, such as events of equal source offset, belongs into one run; how
 * many events that share nothing are in it is a matter of how soon they are to be seen.
 *
 * <p>A full stripe blocks, interruptibly, and meanwhile lets acknowledgements through.
 */
public final class ByteIntake {

    private static final BulkWriter FRAMES = BulkWriter.of(0);
    private static final long WAIT_NANOS = 50_000_000;

    private final ByteStripeWriter<EventRun> stripe;
    private final AckLedger<EventRun> ledger;
    private final Intake.Backpressure backpressure;

    ByteIntake(ByteStripeWriter<EventRun> stripe, AckLedger<EventRun> ledger, Intake.Backpressure backpressure) {
        this.stripe = stripe;
        this.ledger = ledger;
        this.backpressure = backpressure;
    }

    /**
     * Adds an event to the run.
     *
     * @param bytes what holds the event
     * @param from where its first byte is
     * @param sizeBytes how many bytes it has
     * @return false if the run would become too long for a record, and nothing was added: publish it and add again
     * @throws InterruptedException if the task stops while the stripe is full; the event is not taken
     * @throws IllegalArgumentException if the event alone is too long for a record
     */
    public boolean add(byte[] bytes, int from, int sizeBytes) throws InterruptedException {
        int frameBytes = FRAMES.frameBytes(sizeBytes);
        int at = claim(frameBytes);
        if (at == ByteRing.RUN_FULL) {
            return false;
        }
        int ignored = FRAMES.writeFrame(stripe.bytes(), at, bytes, from, sizeBytes);
        stripe.written(frameBytes, 1);
        return true;
    }

    /**
     * Adds events that are framed already, as they lie one behind the other: one copy, however many they are.
     *
     * @param frames what holds them, as a {@link BulkWriter} without flags frames them
     * @param from where the first byte is
     * @param sizeBytes how many bytes they have together
     * @param events how many they are
     * @return as {@link #add}
     * @throws InterruptedException as {@link #add}; none of the events is taken
     */
    public boolean addAll(byte[] frames, int from, int sizeBytes, int events) throws InterruptedException {
        int at = claim(sizeBytes);
        if (at == ByteRing.RUN_FULL) {
            return false;
        }
        System.arraycopy(frames, from, stripe.bytes(), at, sizeBytes);
        stripe.written(sizeBytes, events);
        return true;
    }

    private int claim(int sizeBytes) throws InterruptedException {
        int at = stripe.claim(sizeBytes);
        while (at == ByteRing.FULL || at == ByteRing.CLOSED) {
            if (at == ByteRing.CLOSED) {
                throw new InterruptedException("The stripe is closed: the task stops");
            }
            backpressure.acknowledgeMeanwhile();
            // Only the run itself is left when it has room for certain: whatever woke this thread, it looks again.
            Space ignored = stripe.awaitSpace(WAIT_NANOS);
            at = stripe.claim(sizeBytes);
        }
        return at;
    }

    /** How many events the run has so far. */
    public int runEvents() {
        return stripe.stagedCount();
    }

    /**
     * Ends the run and makes it visible; the drainer is only told by {@link #signal}. Nothing happens without an event.
     *
     * @param place where it comes from and goes
     * @param sourceOffset where reading goes on behind its last event
     * @param timestampMs of its last event, in milliseconds since 1970
     * @param arrivalNanos when its first event arrived, on the task's monotonic clock
     */
    public void publish(RunPlace place, Map<String, ?> sourceOffset, long timestampMs, long arrivalNanos) {
        int events = stripe.stagedCount();
        if (events > 0) {
            EventRun run = new EventRun(place, sourceOffset, events, timestampMs, arrivalNanos);
            ledger.append(run);
            stripe.publish(run);
        }
    }

    /** Tells the drainer, if it waits for this, what was published: once after a burst. */
    public void signal() {
        stripe.signal();
    }
}
