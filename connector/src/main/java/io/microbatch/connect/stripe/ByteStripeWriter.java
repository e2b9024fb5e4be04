package io.microbatch.connect.stripe;

/**
 * The reader thread's side of one stripe of bytes. All methods but {@link #close} are for one thread at a time, the reader
 * thread that owns this stripe and its source partitions.
 *
 * @param <E> the type of the runs' tokens
 */
public final class ByteStripeWriter<E> {
    private final Stripe<ByteRing<E>> stripe;
    private final ByteRing<E> ring;
    private final Runnable wakeDrainer;

    ByteStripeWriter(Stripe<ByteRing<E>> stripe, Runnable wakeDrainer) {
        this.stripe = stripe;
        this.ring = stripe.ring;
        this.wakeDrainer = wakeDrainer;
    }

    /** As {@link ByteRing#claim}; {@link ByteRing#FULL} is also noted for the drainer. */
    @OwnedBy(OwnedBy.READER)
    public int claim(int sizeBytes) {
        int at = ring.claim(sizeBytes);
        if (at == ByteRing.FULL) {
            stripe.foundFull();
        }
        return at;
    }

    /** As {@link ByteRing#bytes}. */
    public byte[] bytes() {
        return ring.bytes();
    }

    /** As {@link ByteRing#written}. */
    @OwnedBy(OwnedBy.READER)
    public void written(int sizeBytes, int events) {
        ring.written(sizeBytes, events);
    }

    /** As {@link ByteRing#publish}. */
    @OwnedBy(OwnedBy.READER)
    public void publish(E run) {
        ring.publish(run);
    }

    /** How many events the open run has. */
    @OwnedBy(OwnedBy.READER)
    public int stagedCount() {
        return ring.stagedCount();
    }

    /** As {@link StripeWriter#signal}. */
    @OwnedBy(OwnedBy.READER)
    public void signal() {
        stripe.signal();
    }

    /**
     * As {@link StripeWriter#awaitSpace}.
     *
     * @throws InterruptedException if the reader thread is interrupted before or while it waits
     */
    @OwnedBy(OwnedBy.READER)
    public Space awaitSpace(long maxNanos) throws InterruptedException {
        return stripe.awaitSpace(maxNanos);
    }

    /** As {@link StripeWriter#close}. */
    public void close() {
        stripe.close();
        wakeDrainer.run();
    }

    /** As {@link StripeWriter#progress}. */
    public StripeProgress progress() {
        return ring;
    }
}
