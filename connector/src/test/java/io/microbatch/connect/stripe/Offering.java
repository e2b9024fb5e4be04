package io.microbatch.connect.stripe;

/** What tests do with a stripe and no reader thread does: single events, and a look at whether it is closed. */
public final class Offering {

    private Offering() {}

    /** Stages the event and publishes it, with what was staged before. */
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

    /** Whether the stripe is closed, from either side. */
    public static boolean isClosed(StripeWriter<?> writer) {
        return writer.ring.isClosed();
    }
}
