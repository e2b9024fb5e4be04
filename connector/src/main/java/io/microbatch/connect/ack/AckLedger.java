package io.microbatch.connect.ack;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What one reader has handed over and Connect is not done with, in order; yields that of the contiguous settled
 * prefix. One thread at a time, but for {@link #depth()}.
 *
 * <p>Acknowledgements come in any order: filtered records before earlier ones of the same batch, batches of several
 * partitions interleaved. An upstream that is notified of a position takes everything before it as done, so it may be
 * notified of the prefix without a gap only.
 *
 * <p>One event that is not settled, because its topic's partition is offline, keeps all later ones here. So above a
 * bound of held bytes, settled events are reduced to what the upstream's notification needs. A call looks at a few of
 * them only, so that no call takes long.
 */
public final class AckLedger {

    private static final int INITIAL_CAPACITY = 64;

    /** How many elements are looked at in a call, and how many more for each that was appended since the last one. */
    private static final int LOOKS_A_CALL = 1_024;

    private static final int LOOKS_AN_ELEMENT = 2;
    private static final int RESTING_CALLS = 16;

    private final long maxHeldBytes;
    private final UnaryOperator<SettledEvent> reduction;

    /** A ring: the oldest is at {@code head}, and there are {@code size} of them. The length is a power of two. */
    private SettledEvent[] elements = new SettledEvent[INITIAL_CAPACITY];

    private long head;
    private int size;

    private int outstandingEvents;
    private long heldBytes;
    private long keptBytes;
    private volatile int depth;

    /** Where the search for settled events goes on, as an index like {@code head}. */
    private long lookedUpTo;

    private long appendedSinceLook;

    /** How many calls still look at nothing, since the last look found nothing. */
    private int restingCalls;

    /**
     * An empty ledger.
     *
     * @param maxHeldBytes above how many bytes of elements as they were appended
     * @param reduction what is kept of a settled element; must be reduced and settled as well
     */
    public AckLedger(long maxHeldBytes, UnaryOperator<SettledEvent> reduction) {
        this.maxHeldBytes = maxHeldBytes;
        this.reduction = reduction;
    }

    /** Takes note of an event, before it can be drained. */
    public void append(SettledEvent event) {
        if (size == elements.length) {
            grow();
        }
        elements[slot(head + size)] = event;
        size++;
        outstandingEvents += event.events();
        heldBytes += event.heldBytes();
        appendedSinceLook++;
    }

    private int slot(long index) {
        return (int) index & (elements.length - 1);
    }

    private void grow() {
        SettledEvent[] larger = new SettledEvent[Math.multiplyExact(elements.length, 2)];
        for (int i = 0; i < size; i++) {
            larger[(int) (head + i) & (larger.length - 1)] = elements[slot(head + i)];
        }
        elements = larger;
    }

    /**
     * Removes the settled prefix and gives it in order to the sink.
     *
     * @return how many elements there were
     */
    public int drainSettled(Consumer<? super SettledEvent> sink) {
        int drained = 0;
        while (size > 0 && elements[slot(head)].isSettled()) {
            SettledEvent first = elements[slot(head)];
            elements[slot(head)] = null;
            head++;
            size--;
            outstandingEvents -= first.events();
            count(first, -1);
            sink.accept(first);
            drained++;
        }
        if (heldBytes <= maxHeldBytes) {
            appendedSinceLook = 0;
        } else if (restingCalls > 0) {
            restingCalls--;
        } else if (!reduceSome()) {
            restingCalls = RESTING_CALLS;
        }
        depth = outstandingEvents;
        return drained;
    }

    private void count(SettledEvent element, int sign) {
        long bytes = sign * (long) element.heldBytes();
        if (element.isReduced()) {
            keptBytes += bytes;
        } else {
            heldBytes += bytes;
        }
    }

    /** Whether there was something to reduce. */
    private boolean reduceSome() {
        boolean found = false;
        long looks = Math.min(size, LOOKS_A_CALL + LOOKS_AN_ELEMENT * appendedSinceLook);
        appendedSinceLook = 0;
        for (long i = 0; i < looks; i++) {
            if (lookedUpTo < head || lookedUpTo >= head + size) {
                lookedUpTo = head;
            }
            SettledEvent element = elements[slot(lookedUpTo)];
            if (!element.isReduced() && element.isSettled()) {
                SettledEvent reduced = reduction.apply(element);
                count(element, -1);
                count(reduced, 1);
                elements[slot(lookedUpTo)] = reduced;
                found = true;
            }
            lookedUpTo++;
        }
        return found;
    }

    /** Whether Connect is done with everything that was appended, and everything was drained. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The bytes of what was reduced and cannot be drained yet. */
    public long keptBytes() {
        return keptBytes;
    }

    /** How many events were outstanding when they were last drained. Any thread. */
    public int depth() {
        return depth;
    }
}
