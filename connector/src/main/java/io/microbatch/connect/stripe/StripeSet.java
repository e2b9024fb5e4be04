package io.microbatch.connect.stripe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The drainer's side of all stripes of a task whose events are objects. {@link #drain} is for one thread, the task
 * thread; {@link #writer} is for any.
 *
 * @param <E> the type of the events
 */
public final class StripeSet<E> extends Stripes<E, SpscRing<E>> {
    private final List<StripeWriter<E>> writers = new ArrayList<>();

    /**
     * Open, empty stripes.
     *
     * @param stripeCount how many, at least 1: one for each reader thread
     * @param capacityEvents the most events each of them holds
     * @param capacityBytes the most bytes each of them holds, but for an oversized event alone
     * @param nanoClock the clock of the deadlines, in nanoseconds; {@code System::nanoTime} outside of tests
     */
    public StripeSet(int stripeCount, int capacityEvents, long capacityBytes, LongSupplier nanoClock) {
        super(rings(stripeCount, () -> new SpscRing<>(capacityEvents, capacityBytes)), nanoClock);
        for (Stripe<SpscRing<E>> stripe : stripes) {
            writers.add(new StripeWriter<>(stripe, this::wake));
        }
    }

    /** The reader thread's side of a stripe, from 0; always the same object. */
    public StripeWriter<E> writer(int stripe) {
        return writers.get(stripe);
    }

    /**
     * Takes events from all stripes. Every stripe first gives up to an equal share of both limits, beginning with
     * another one at each call, and then what is left of the limits goes round once more. The order inside a stripe is
     * kept. One event at least is taken, if there is one; both limits are exceeded as long as the next event of the
     * stripe at hand must not be separated from the last one. Reader threads that wait for room are woken.
     *
     * @param maxEvents how many events to take; none if it is not positive
     * @param maxBytes how many bytes to take
     * @param rule which neighbours of a stripe have to stay together
     * @return how many events were taken
     */
    @OwnedBy(OwnedBy.DRAINER)
    public int drain(DrainSink<? super E> sink, int maxEvents, long maxBytes, Inseparable<? super E> rule) {
        return drain((ring, events, bytes) -> ring.drain(sink, events, bytes, rule), maxEvents, maxBytes);
    }
}
