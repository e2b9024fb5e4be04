package io.microbatch.connect.ack;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The events that one reader has handed over and that Connect is not done with, in order; yields those of the
 * contiguous settled prefix. Reader thread only, but for {@link #depth()}.
 *
 * <p>Acknowledgements come in any order: filtered records before earlier ones of the same batch, batches of several
 * partitions interleaved. An upstream that is told of a position takes everything before it as done, so only the prefix
 * without a gap may be told.
 */
public final class AckLedger {

    private final ArrayDeque<EventRecord> outstanding = new ArrayDeque<>();
    private volatile int depth;

    /** Takes note of an event, before it can be drained. */
    public void append(EventRecord event) {
        outstanding.addLast(event);
    }

    /**
     * Removes the settled prefix and gives its events in order to the sink.
     *
     * @return how many there were
     */
    public int drainSettled(Consumer<? super EventRecord> sink) {
        int drained = 0;
        for (EventRecord head = outstanding.peekFirst();
                head != null && head.isSettled();
                head = outstanding.peekFirst()) {
            outstanding.removeFirst();
            sink.accept(head);
            drained++;
        }
        depth = outstanding.size();
        return drained;
    }

    /** How many events were outstanding when the reader last looked. Any thread. */
    public int depth() {
        return depth;
    }
}
