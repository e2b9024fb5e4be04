package io.microbatch.connect.stripe;

/** The pause that all reader threads of a set have announced: it ends with the first of theirs. Consumer's thread. */
final class CommonPause {
    private final StripeWriter<?>[] stripes;

    /** Its end as the consumer knows it. */
    private long knownNanos;

    CommonPause(StripeWriter<?>[] stripes) {
        this.stripes = stripes;
    }

    /** As {@link StripeSet#pausedUntilNanos}. The consumer then knows this end. */
    @OwnedBy(OwnedBy.CONSUMER)
    long noteUntilNanos(long otherwiseNanos) {
        knownNanos = untilNanos(otherwiseNanos);
        return knownNanos;
    }

    /** Whether it lasts beyond this time, and the consumer does not know that. */
    @OwnedBy(OwnedBy.CONSUMER)
    boolean isUnknownBeyond(long beyondNanos) {
        long nanos = untilNanos(beyondNanos);
        return nanos != beyondNanos && nanos != knownNanos;
    }

    private long untilNanos(long otherwiseNanos) {
        long earliest = stripes[0].pausedUntilNanos(otherwiseNanos);
        for (int i = 1; i < stripes.length && earliest != otherwiseNanos; i++) {
            long nanos = stripes[i].pausedUntilNanos(otherwiseNanos);
            earliest = nanos - earliest < 0 ? nanos : earliest;
        }
        return earliest;
    }
}
