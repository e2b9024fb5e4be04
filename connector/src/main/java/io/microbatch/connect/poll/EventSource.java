package io.microbatch.connect.poll;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeProgress;
import io.microbatch.connect.stripe.Stripes;
import io.microbatch.connect.stripe.Wake;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * What a task buffers, as the assembly of batches sees it: how much there is and how old, and records on demand. {@link
 * #drain}, {@link #await}, {@link #limit} and {@link #oldestArrivalNanos} are the task thread's; everything else is for
 * any.
 *
 * @param <E> what is buffered
 */
public abstract class EventSource<E> {

    private final Stripes<E, ?> stripes;
    private final ToLongFunction<? super E> arrivalNanos;

    /**
     * Over these stripes.
     *
     * @param arrivalNanos when what is buffered arrived, on the task's clock
     */
    protected EventSource(Stripes<E, ?> stripes, ToLongFunction<? super E> arrivalNanos) {
        this.stripes = stripes;
        this.arrivalNanos = arrivalNanos;
    }

    /**
     * Takes the oldest events, as records that Connect can get. What shares a source offset leaves together, or the
     * committed offset would name an event half sent; so both limits may be exceeded.
     *
     * @param sink gets each record with its size in bytes
     * @param maxEvents how many events to take
     * @param maxBytes how many bytes to take
     */
    public abstract void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes);

    /** How many records a drain of everything gives, about. */
    protected abstract long sizeRecords();

    /** When the oldest event that is buffered arrived; empty if there is none. */
    final OptionalLong oldestArrivalNanos() {
        E oldest = stripes.oldest(arrivalNanos);
        return oldest == null ? OptionalLong.empty() : OptionalLong.of(arrivalNanos.applyAsLong(oldest));
    }

    /** As {@link Stripes#await}. */
    final Wake await(long events, long bytes, long deadlineNanos) throws InterruptedException {
        return stripes.await(events, bytes, deadlineNanos);
    }

    /** As {@link Stripes#limit}. */
    final void limit(int events) {
        stripes.limit(events);
    }

    /** Events that were ever offered. */
    public final long offeredTotal() {
        return stripes.offeredTotal();
    }

    /** Events that are buffered. */
    public final long sizeEvents() {
        return stripes.sizeEvents();
    }

    /** Their estimated bytes. */
    public final long sizeBytes() {
        return stripes.sizeBytes();
    }

    /** How many stripes there are. */
    public final int stripeCount() {
        return stripes.stripeCount();
    }

    /** How a stripe is doing, from 0. */
    public final StripeProgress progress(int stripe) {
        return stripes.progress(stripe);
    }

    /** As {@link Stripes#blockedNanosTotal}. */
    public final long blockedNanosTotal(int stripe) {
        return stripes.blockedNanosTotal(stripe);
    }

    /** Nothing more is to be offered; wakes whoever waits. */
    public final void close() {
        stripes.close();
    }
}
