package io.microbatch.connect.upstream;

import io.microbatch.connect.stripe.StripeProgress;

/**
 * How far Connect is with what one reader has put into its stripe, beyond what acknowledgements say. Connect has sent
 * the whole of a batch when it calls poll again. An exactly-once worker calls commit on the task thread. Where a
 * transaction is a batch, or ends at intervals, the worker is done with a batch if commit came between the batch and
 * the next poll: also with a batch of which transforms have left nothing, for which it acknowledges nothing before a
 * later transaction commits.
 *
 * <p>Two exceptions. Where a task says itself where transactions end, commit may come within a batch. And a worker that
 * is paused while it sends a batch again commits the part that was sent.
 *
 * <p>{@link #polled} and {@link #committed} on the task thread, which also drains the stripe; the questions on the
 * reader's thread, once it has published all that it has.
 */
final class Handover {

    private final StripeProgress stripe;
    private long committedTotal;
    private volatile long releasedTotal;
    private volatile long dispatchedTotal;

    Handover(StripeProgress stripe) {
        this.stripe = stripe;
    }

    /** Connect has called poll, and nothing was drained for it yet. */
    void polled() {
        long drained = stripe.drainedTotal();
        if (drained != releasedTotal) {
            releasedTotal = committedTotal;
            dispatchedTotal = drained;
        }
    }

    /** Connect has called commit on the task thread, which only an exactly-once worker does while a task runs. */
    void committed() {
        committedTotal = stripe.drainedTotal();
    }

    /** Whether Connect has sent everything that was published here, or has filtered it. */
    boolean isDispatched() {
        return dispatchedTotal >= stripe.offeredTotal();
    }

    /**
     * Whether an exactly-once worker has committed everything that was published here, or had nothing to commit; with
     * the two exceptions.
     */
    boolean isReleased() {
        return releasedTotal >= stripe.offeredTotal();
    }
}
