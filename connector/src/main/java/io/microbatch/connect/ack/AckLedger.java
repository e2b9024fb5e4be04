package io.microbatch.connect.ack;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The events of one reader, in reading order, from handing over to the notification of the upstream. It returns the
 * contiguous settled prefix. One thread at a time, except {@link #depth()}.
 *
 * <p>Acknowledgements arrive in any order: filtered records before earlier records of the batch, and batches of several
 * Kafka partitions interleaved. An upstream that is notified of a position regards all earlier events as done, so it
 * may be notified of the contiguous prefix only.
 *
 * <p>An event that stays unsettled, for example because a Kafka partition is offline, keeps all later events in the
 * ledger. Above a limit of held bytes, the ledger therefore reduces settled events to what the notification needs. Each
 * call looks at a few events only, so that no call takes long.
 */
public final class AckLedger {

    private static final int INITIAL_CAPACITY = 64;

    /** The number of events that a call looks at. */
    private static final int LOOKS_PER_CALL = 1_024;

    /** The additional looks for each event that was appended since the last call. */
    private static final int LOOKS_PER_APPEND = 2;

    /** The number of calls without looks after a call that found no event to reduce. */
    private static final int RESTING_CALLS = 16;

    private final long maxHeldBytes;
    private final UnaryOperator<SettledEvent> reduction;

    /** A ring of {@code size} events from {@code head}. The length is a power of two. */
    private SettledEvent[] elements = new SettledEvent[INITIAL_CAPACITY];

    private long head;
    private int size;

    private long heldBytes;
    private long keptBytes;

    /** The elements of the ring after the last {@link #drainSettled}. It publishes them to {@link #depth()}. */
    private volatile int drainedSize;

    /** The index, like {@code head}, at which the search for settled events continues. */
    private long lookedUpTo;

    private long appendedSinceLook;

    private int restingCalls;

    /**
     * Creates an empty ledger.
     *
     * @param maxHeldBytes the bytes of unreduced events above which settled events are reduced
     * @param reduction reduces a settled event; the result must be settled too
     */
    public AckLedger(long maxHeldBytes, UnaryOperator<SettledEvent> reduction) {
        this.maxHeldBytes = maxHeldBytes;
        this.reduction = reduction;
    }

    /** Adds an event. Call it before the event can be drained. */
    public void append(SettledEvent event) {
        if (size == elements.length) {
            grow();
        }
        elements[slot(head + size)] = event;
        size++;
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
     * Removes the contiguous settled prefix and passes its events, in order, to the sink.
     *
     * @return the number of removed events
     */
    public int drainSettled(Consumer<? super SettledEvent> sink) {
        int drained = 0;
        while (size > 0 && elements[slot(head)].isSettled()) {
            SettledEvent first = elements[slot(head)];
            elements[slot(head)] = null;
            head++;
            size--;
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
        drainedSize = size;
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

    /** Reduces settled events, within the number of looks, and returns whether it found any. */
    private boolean reduceSome() {
        boolean found = false;
        long looks = Math.min(size, LOOKS_PER_CALL + LOOKS_PER_APPEND * appendedSinceLook);
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

    /** Whether all events were settled and removed. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The bytes of reduced events that are still in the ledger. */
    public long keptBytes() {
        return keptBytes;
    }

    /**
     * The number of events that are not settled, of those in the ledger after the last {@link #drainSettled}. Any
     * thread.
     *
     * <p>It looks at the events, because the thread of the ledger may wait for its upstream for hours, and removes no
     * settled event meanwhile. It reads the ring without a lock: the number is exact while no other method is being
     * called, and approximate otherwise.
     */
    public int depth() {
        int left = drainedSize;
        SettledEvent[] ring = elements;
        long first = head;
        int unsettled = 0;
        for (int i = 0; i < Math.min(left, ring.length); i++) {
            SettledEvent event = ring[(int) (first + i) & (ring.length - 1)];
            if (event != null && !event.isSettled()) {
                unsettled += event.events();
            }
        }
        return unsettled;
    }
}
