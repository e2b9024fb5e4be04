package io.microbatch.connect.upstream;

import io.microbatch.connect.stripe.StripeProgress;

/**
 * Tracks how far Connect is with the events that one reader has put into its stripe, in addition to acknowledgements.
 *
 * <p>Connect has sent all of a batch when it calls poll again. An exactly-once worker calls commit on the task thread.
 * If a transaction is a batch or ends at intervals, the worker is done with a batch if commit came between that batch
 * and the next poll. This includes a batch that transforms have filtered completely, for which it acknowledges nothing
 * before a later transaction commits.
 *
 * <p>There are two exceptions. If a task defines its own transactions, commit may come within a batch. A worker that is
 * paused while it sends a batch again commits the part that was sent.
 *
 * <p>{@link #polled} and {@link #committed} are called by the task thread, which also drains the stripe. The questions
 * are asked by the reader's thread, after it has published its events.
 */
final class Handover {

    private final StripeProgress stripe;
    private long committedTotal;
    private volatile long releasedTotal;
    private volatile long dispatchedTotal;

    Handover(StripeProgress stripe) {
        this.stripe = stripe;
    }

    /** Connect has called poll, and has not drained anything for it yet. */
    void polled() {
        long drained = stripe.drainedTotal();
        if (drained != releasedTotal) {
            releasedTotal = committedTotal;
            dispatchedTotal = drained;
        }
    }

    /** Connect has called commit on the task thread. Only an exactly-once worker does so while a task runs. */
    void committed() {
        committedTotal = stripe.drainedTotal();
    }

    /** Whether Connect has sent or filtered all published events. */
    boolean isDispatched() {
        return dispatchedTotal >= stripe.offeredTotal();
    }

    /** Whether an exactly-once worker is done with all published events. The two exceptions apply. */
    boolean isReleased() {
        return releasedTotal >= stripe.offeredTotal();
    }
}
