package io.microbatch.connect.stripe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The drainer's side of all stripes of a task whose events are bytes. {@link #drain} is for one thread, the task thread;
 * {@link #writer} is for any.
 *
 * @param <E> the type of the runs' tokens
 */
public final class ByteStripeSet<E> extends Stripes<E, ByteRing<E>> {
    private final List<ByteStripeWriter<E>> writers = new ArrayList<>();

    /**
     * Open, empty stripes.
     *
     * @param stripeCount how many, at least 1: one for each reader thread
     * @param capacityBytes the bytes each of them holds, a power of two, and allocates
     * @param maxRunBytes the most bytes of a run
     * @param capacityRuns the most runs each of them holds
     * @param nanoClock the clock of the deadlines, in nanoseconds; {@code System::nanoTime} outside of tests
     */
    public ByteStripeSet(
            int stripeCount, int capacityBytes, int maxRunBytes, int capacityRuns, LongSupplier nanoClock) {
        super(rings(stripeCount, () -> new ByteRing<>(capacityBytes, maxRunBytes, capacityRuns)), nanoClock);
        for (Stripe<ByteRing<E>> stripe : stripes) {
            writers.add(new ByteStripeWriter<>(stripe, this::wake));
        }
    }

    /** The reader thread's side of a stripe, from 0; always the same object. */
    public ByteStripeWriter<E> writer(int stripe) {
        return writers.get(stripe);
    }

    /**
     * Takes whole runs from all stripes. Every stripe first gives up to an equal share of both limits, beginning with
     * another one at each call, and then what is left of the limits goes round once more. The order inside a stripe is
     * kept. One run at least is taken, if there is one, however large. Reader threads that wait for room are woken.
     *
     * @param maxEvents how many events to take; none if it is not positive
     * @param maxBytes how many bytes to take
     * @return how many events were taken
     */
    @OwnedBy(OwnedBy.DRAINER)
    public int drain(RunSink<? super E> sink, int maxEvents, long maxBytes) {
        return drain((ring, events, bytes) -> ring.drain(sink, events, bytes), maxEvents, maxBytes);
    }
}
