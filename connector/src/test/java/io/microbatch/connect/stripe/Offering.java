package io.microbatch.connect.stripe;

/** Operations on a stripe that only tests need. */
public final class Offering {

    private Offering() {}

    /** Stages the event and publishes it together with events that are already staged. */
    public static <E> Offer offer(StripeWriter<E> writer, E event, int sizeBytes) {
        Offer outcome = writer.stage(event, sizeBytes);
        if (outcome == Offer.ACCEPTED) {
            writer.publish();
        }
        return outcome;
    }

    static <E> Offer offer(SpscRing<E> ring, E event, int sizeBytes) {
        Offer outcome = ring.stage(event, sizeBytes);
        if (outcome == Offer.ACCEPTED) {
            ring.publish();
        }
        return outcome;
    }

    /** Whether the stripe is closed by either side. */
    public static boolean isClosed(StripeWriter<?> writer) {
        return writer.ring.isClosed();
    }
}
