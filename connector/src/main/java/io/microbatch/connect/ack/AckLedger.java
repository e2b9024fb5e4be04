package io.microbatch.connect.ack;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * What one reader has handed over and Connect is not done with, in order; yields that of the contiguous settled
 * prefix. Reader thread only, but for {@link #depth()}.
 *
 * <p>Acknowledgements come in any order: filtered records before earlier ones of the same batch, batches of several
 * partitions interleaved. An upstream that is told of a position takes everything before it as done, so only the prefix
 * without a gap may be told.
 *
 * @param <T> single events, or runs of them
 */
public final class AckLedger<T extends Settleable> {

    private final ArrayDeque<T> outstanding = new ArrayDeque<>();
    private int outstandingEvents;
    private volatile int depth;

    /** Takes note of an event or a run, before it can be drained. */
    public void append(T event) {
        outstanding.addLast(event);
        outstandingEvents += event.events();
    }

    /**
     * Removes the settled prefix and gives it in order to the sink.
     *
     * @return how many elements there were
     */
    public int drainSettled(Consumer<? super T> sink) {
        int drained = 0;
        for (T head = outstanding.peekFirst(); head != null && head.isSettled(); head = outstanding.peekFirst()) {
            T first = outstanding.removeFirst();
            outstandingEvents -= first.events();
            sink.accept(first);
            drained++;
        }
        depth = outstandingEvents;
        return drained;
    }

    /** How many events were outstanding when the reader last looked. Any thread. */
    public int depth() {
        return depth;
    }
}
