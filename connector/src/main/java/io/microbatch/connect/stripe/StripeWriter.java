package io.microbatch.connect.stripe;

/**
 * The reader thread's side of one stripe. All methods but {@link #close}, {@link #isClosed} and {@link #progress} are
 * for one thread at a time, the reader thread that owns this stripe and its source partitions; a hand-over to another
 * thread needs a happens-before edge of its own.
 *
 * <p>A reader thread stages the events of a run (equal source offsets) and publishes them together, and calls {@link
 * #signal} once after a burst: without it the drainer wakes at its deadline only. When it meets {@link Offer#FULL} it
 * calls {@link #awaitSpace} and offers again. Sizes are bytes.
 *
 * @param <E> the type of the events
 */
public final class StripeWriter<E> {
    private final Stripe<SpscRing<E>> stripe;
    private final Runnable wakeDrainer;

    StripeWriter(Stripe<SpscRing<E>> stripe, Runnable wakeDrainer) {
        this.stripe = stripe;
        this.wakeDrainer = wakeDrainer;
    }

    /** As {@link SpscRing#stage}; {@link Offer#FULL} is also noted for the drainer. */
    @OwnedBy(OwnedBy.READER)
    public Offer stage(E event, int sizeBytes) {
        Offer outcome = stripe.ring.stage(event, sizeBytes);
        if (outcome == Offer.FULL) {
            stripe.foundFull();
        }
        return outcome;
    }

    /** Makes what is staged visible to the drainer, all of it at once. */
    @OwnedBy(OwnedBy.READER)
    public void publish() {
        stripe.ring.publish();
    }

    /** Stages the event and publishes it, together with whatever was staged before. */
    @OwnedBy(OwnedBy.READER)
    public Offer offer(E event, int sizeBytes) {
        Offer outcome = stage(event, sizeBytes);
        if (outcome == Offer.ACCEPTED) {
            publish();
        }
        return outcome;
    }

    /** How many events are staged and not yet published. */
    @OwnedBy(OwnedBy.READER)
    public int stagedCount() {
        return stripe.ring.stagedCount();
    }

    /**
     * Wakes the drainer if it waits for what was published, or if this stripe was found full. Once after a burst, not
     * per event: it costs a full fence.
     */
    @OwnedBy(OwnedBy.READER)
    public void signal() {
        stripe.signal();
    }

    /**
     * Asks the drainer to take what was published at once, as if this stripe were full: nothing more comes before that.
     */
    @OwnedBy(OwnedBy.READER)
    public void signalToDrain() {
        stripe.foundFull();
        stripe.signal();
    }

    /**
     * Waits until the drainer took something from this stripe after its last {@link Offer#FULL}. Wakes the drainer
     * first, so no {@link #signal} is needed before it.
     *
     * @param maxNanos how long to wait at most, in nanoseconds
     * @throws InterruptedException if the reader thread is interrupted before or while it waits
     */
    @OwnedBy(OwnedBy.READER)
    public Space awaitSpace(long maxNanos) throws InterruptedException {
        return stripe.awaitSpace(maxNanos);
    }

    /**
     * Closes this stripe and wakes both sides; any thread, any number of times. What was published can still be
     * drained; what is only staged stays unseen.
     */
    public void close() {
        stripe.close();
        wakeDrainer.run();
    }

    /** Whether this stripe is closed, from either side; any thread. */
    public boolean isClosed() {
        return stripe.ring.isClosed();
    }

    /** How this stripe is doing; any thread. */
    public StripeProgress progress() {
        return stripe.ring;
    }
}
