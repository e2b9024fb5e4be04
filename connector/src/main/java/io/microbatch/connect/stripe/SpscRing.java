package io.microbatch.connect.stripe;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * A ring buffer for one reader thread and one consumer, limited in events and in bytes.
 *
 * <p>The reader thread calls {@link #stage} and {@link #publish}; the consumer calls {@link #peek}, {@link
 * #nextSizeBytes} and {@link #drain}; any thread may call {@link #close} and the methods of {@link StripeProgress}. The
 * role of a thread may pass to another one with a happens-before edge. Callers measure the sizes, in bytes.
 *
 * <p>No method blocks, or throws if there is no room. A null event or a negative size throws before anything has
 * changed. No method allocates, except that {@link #stage} adds slots. A ring begins with few slots, so that an idle
 * one is small, and gets more when its events need them. It may be {@link Offer#FULL} below its capacity until it has
 * them.
 *
 * <p>Sources: L. Lamport, <em>Specifying Concurrent Program Modules</em> (1983): the ring. J. Giacomoni, T. Moseley, M.
 * Vachharajani, <em>FastForward for Efficient Pipeline Parallelism</em> (2008): not to read the opposite index for
 * every event. P. Lee, T. Bu, G. Chandranmenon, <em>A Lock-Free, Cache-Efficient Shared Ring Buffer for Multi-Core
 * Architectures</em> (2009, MCRingBuffer): cached indexes, published once per batch. J. Wang, K. Zhang, X. Tang, B.
 * Hua, <em>B-Queue: Efficient and Practical Queuing for Fast Core-to-Core Communication</em> (2013): batching without a
 * producer that waits until a batch is full.
 *
 * @param <E> the type of the events
 */
public final class SpscRing<E> extends RingFields.Pad3 implements StripeProgress {
    /*
     * Three indexes define the ring. All of them only increase, and overflow, so they are compared by difference:
     *
     *      head              tail              stagedTail         head + capacity
     *   ----+==================+..................+------------------+----
     *        consumer's          reader thread's,   reader thread's,
     *                            not yet visible    free
     *
     * The two indexes pass the ownership of slots, so the accesses to slots are plain:
     *  - The reader thread writes the slots in [tail, stagedTail) and releases the tail. The consumer acquires the tail
     *    and then sees these slots and the content of their events.
     *  - The consumer reads and clears the slots in [head, tail) and releases the head. The reader thread acquires the
     *    head before it writes such a slot again, so the clearing cannot overwrite the new event.
     * One release of the tail publishes all staged events, so a run becomes visible as a whole or not at all.
     *
     * The reader thread replaces the slots by more of them only while head and tail are equal. The consumer accesses no
     * slot then. Its accesses to the old slots precede the release of the head that the reader thread has acquired. It
     * accesses the next slot after it has acquired a later tail, whose release follows the replacement. Staged events
     * belong to the reader thread, which copies them.
     *
     * Each side caches the opposite index and reads it again only when the cached one leaves no room or no events. A
     * stale index is safe: it shows less room, or fewer events, than there are.
     *
     * Byte totals accompany the indexes. Drained bytes are written before the head and read after it, so the reader
     * thread may see a total newer than its head. That is harmless: these bytes were drained, and the head alone guards
     * the slots. An oversized event enters an empty ring, which is determined by the indexes. Offered bytes are written
     * after the tail and read before it, so a thread that sees bytes can drain them. Until it sees them, drained bytes
     * may exceed offered bytes. The ring then counts as empty.
     */

    /** The slots of a new ring: 32 KiB. Until it grows, its batches are smaller, and no event waits longer. */
    private static final int FIRST_SLOTS = 4_096;

    /** A ring that needs more slots gets this many times as many, because few steps delay few batches. */
    private static final int GROWTH = 8;

    /**
     * Creates an empty ring.
     *
     * @param capacityEvents the maximum number of events, 1 to 2^30; the number of slots grows up to the next power of
     *     two
     * @param capacityBytes the maximum bytes, at least 1; a larger event is accepted alone
     */
    public SpscRing(int capacityEvents, long capacityBytes) {
        this(capacityEvents, capacityBytes, 0);
    }

    /** For tests: starts the indexes elsewhere, so that they overflow soon. */
    SpscRing(int capacityEvents, long capacityBytes, long firstIndex) {
        this(capacityEvents, capacityBytes, firstIndex, FIRST_SLOTS);
    }

    /** For tests: grows soon. */
    SpscRing(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
        super(checkedEvents(capacityEvents), checkedBytes(capacityBytes), firstIndex, firstSlots);
    }

    private static int checkedEvents(int capacityEvents) {
        if (capacityEvents < 1 || capacityEvents > 1 << 30) {
            throw new IllegalArgumentException("capacityEvents must be 1 to 2^30 and is " + capacityEvents);
        }
        return capacityEvents;
    }

    private static long checkedBytes(long capacityBytes) {
        if (capacityBytes < 1) {
            throw new IllegalArgumentException("capacityBytes must be at least 1 and is " + capacityBytes);
        }
        return capacityBytes;
    }

    /**
     * Adds an event to the staged ones, which {@link #publish} makes visible. After {@link Offer#FULL} the staged
     * events themselves may fill the ring. Then only publishing them allows a drain to make room.
     */
    @OwnedBy(OwnedBy.READER)
    public Offer stage(E event, int sizeBytes) {
        Objects.requireNonNull(event, "event");
        if (sizeBytes < 0) {
            throw new IllegalArgumentException("sizeBytes must not be negative and is " + sizeBytes);
        }
        if (opaqueClosed() != 0) {
            return Offer.CLOSED;
        }
        long index = stagedTail;
        long bytesAfter = stagedBytes + sizeBytes;
        if (index - roomEnd >= 0 || bytesAfter - roomEndBytes > 0) {
            if (!hasRoomNow(index, bytesAfter)) {
                opaqueFullTotal(opaqueFullTotal() + 1);
                return Offer.FULL;
            }
        }
        // A mask from the array's length lets the compiler omit the bounds check.
        Object[] slots = this.slots;
        int[] sizesBytes = this.sizesBytes;
        slots[(int) index & (slots.length - 1)] = event;
        sizesBytes[(int) index & (sizesBytes.length - 1)] = sizeBytes;
        stagedTail = index + 1;
        stagedBytes = bytesAfter;
        return Offer.ACCEPTED;
    }

    private boolean hasRoomNow(long index, long bytesAfter) {
        knownHead = acquireHead();
        int limit = Math.min(capacityEvents, opaqueLimitEvents());
        roomEndBytes = opaqueDrainedBytes() + capacityBytes;
        // A run that has begun may exceed the limit, but not the capacity.
        long end = knownHead + (stagedCount() > 0 ? capacityEvents : limit);
        boolean allowed = index == knownHead || (index - end < 0 && bytesAfter - roomEndBytes <= 0);
        boolean room = allowed && ensureSlot(index);
        roomEnd = knownHead + Math.min(limit, slots.length);
        return room;
    }

    /** Adds slots if one was missing and no event is visible. Returns whether the event of this index has a slot. */
    @OwnedBy(OwnedBy.READER)
    private boolean ensureSlot(long index) {
        crowded |= index - knownHead >= slots.length;
        if (crowded && knownHead == plainTail()) {
            grow();
        }
        return index - knownHead < slots.length;
    }

    /** Replaces the slots by more of them and copies the staged events, the only ones in the ring. */
    @OwnedBy(OwnedBy.READER)
    private void grow() {
        int slotCount = (int) Math.min(slotsFor(capacityEvents), (long) GROWTH * slots.length);
        Object[] moreSlots = new Object[slotCount];
        int[] moreSizesBytes = new int[slotCount];
        for (long index = knownHead; index != stagedTail; index++) {
            int from = (int) index & mask;
            int to = (int) index & (slotCount - 1);
            moreSlots[to] = slots[from];
            moreSizesBytes[to] = sizesBytes[from];
        }
        slots = moreSlots;
        sizesBytes = moreSizesBytes;
        mask = slotCount - 1;
        crowded = false;
    }

    /** Makes all staged events visible to the consumer at once. Also works on a closed ring. */
    @OwnedBy(OwnedBy.READER)
    public void publish() {
        releaseTail(stagedTail);
        releaseOfferedBytes(stagedBytes);
    }

    /** The number of staged events. */
    @OwnedBy(OwnedBy.READER)
    int stagedCount() {
        return (int) (stagedTail - plainTail());
    }

    /** Whether the consumer has taken events since the last {@link Offer#FULL}. */
    @OwnedBy(OwnedBy.READER)
    boolean headMoved() {
        return acquireHead() != knownHead;
    }

    /** Whether the ring contains only staged events. */
    @OwnedBy(OwnedBy.READER)
    boolean onlyStagedLeft() {
        return stagedCount() > 0 && acquireHead() == plainTail();
    }

    /**
     * Limits the ring to this number of events, at least 1, within its capacity. A run that has begun may exceed it.
     */
    @OwnedBy(OwnedBy.CONSUMER)
    void limit(int events) {
        opaqueLimitEvents(Math.max(1, events));
    }

    /** Returns the oldest visible event without taking it, or null. */
    @OwnedBy(OwnedBy.CONSUMER)
    public E peek() {
        return hasNext() ? event((int) plainHead() & mask) : null;
    }

    /** The size in bytes of the oldest visible event, or -1 if there is none. */
    @OwnedBy(OwnedBy.CONSUMER)
    public int nextSizeBytes() {
        return hasNext() ? sizesBytes[(int) plainHead() & mask] : -1;
    }

    /** Whether there is an event to drain. */
    @OwnedBy(OwnedBy.CONSUMER)
    private boolean hasNext() {
        long head = plainHead();
        if (knownTail == head) {
            knownTail = acquireTail();
        }
        return knownTail != head;
    }

    /**
     * Takes the oldest events and frees their slots at the end. Takes at least one event, even if it is larger than
     * {@code maxBytes}. Exceeds both limits while the rule forbids a separation.
     *
     * @param maxEvents the maximum number of events; none if it is not positive
     * @param maxBytes the maximum bytes
     * @param rule called at the end only, with the last taken and the next visible event
     * @return the number of taken events
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public int drain(DrainSink<? super E> sink, int maxEvents, long maxBytes, Inseparable<? super E> rule) {
        long head = plainHead();
        if (knownTail - head < maxEvents) {
            knownTail = acquireTail();
        }
        // A publication consists of whole runs, so a drain may end at the last visible event.
        int visible = (int) (knownTail - head);
        if (visible == 0 || maxEvents <= 0) {
            return 0;
        }
        int count = countToTake((int) head, visible, Math.min(visible, maxEvents), maxBytes, rule);
        opaqueDrainEnd(head + count);
        Object[] slots = this.slots;
        int[] sizesBytes = this.sizesBytes;
        int taken = 0;
        try {
            while (taken < count) {
                int slot = ((int) head + taken) & (slots.length - 1);
                taken++;
                sink.take(event(slot), sizesBytes[slot]);
            }
        } finally {
            // Also if the sink throws: the ring no longer contains the events that it got.
            long bytes = bytesOf((int) head, taken);
            clear((int) head, taken);
            opaqueDrainedBytes(plainDrainedBytes() + bytes);
            releaseHead(head + taken);
        }
        return taken;
    }

    /** The number of events to take by both limits and the rule. The first sum shows that usually all fit. */
    private int countToTake(int head, int visible, int wanted, long maxBytes, Inseparable<? super E> rule) {
        int count = wanted;
        if (bytesOf(head, wanted) > maxBytes) {
            long bytes = sizesBytes[head & mask];
            count = 1;
            while (bytes + sizesBytes[(head + count) & mask] <= maxBytes) {
                bytes += sizesBytes[(head + count) & mask];
                count++;
            }
        }
        while (count < visible && rule.inseparable(event((head + count - 1) & mask), event((head + count) & mask))) {
            count++;
        }
        return count;
    }

    private long bytesOf(int head, int count) {
        int first = head & mask;
        int untilEnd = Math.min(count, slots.length - first);
        long bytes = 0;
        for (int i = first; i < first + untilEnd; i++) {
            bytes += sizesBytes[i];
        }
        for (int i = 0; i < count - untilEnd; i++) {
            bytes += sizesBytes[i];
        }
        return bytes;
    }

    private void clear(int head, int count) {
        int first = head & mask;
        int untilEnd = Math.min(count, slots.length - first);
        Arrays.fill(slots, first, first + untilEnd, null);
        Arrays.fill(slots, 0, count - untilEnd, null);
    }

    @SuppressWarnings("unchecked") // only events are put into the slots
    private E event(int slot) {
        return (E) slots[slot];
    }

    /**
     * Closes the ring for new events. Published events can still be drained; staged events are not published. A
     * concurrent offer may still be accepted. Any thread, any number of times.
     */
    public void close() {
        releaseClosed();
    }

    /** Whether the ring is closed. If so, all events that the closing thread published before are visible. */
    public boolean isClosed() {
        return acquireClosed() != 0;
    }

    @Override
    public long sizeEvents() {
        // Head first, so that the tail is not behind it. The tail may then be ahead by more than the capacity.
        long head = acquireHead();
        return Math.min(acquireTail() - head, capacityEvents);
    }

    @Override
    public long sizeBytes() {
        long drained = opaqueDrainedBytes();
        VarHandle.acquireFence();
        return Math.max(0, acquireOfferedBytes() - drained);
    }

    @Override
    public int capacityEvents() {
        return capacityEvents;
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public long offeredTotal() {
        return opaqueTail() - firstIndex;
    }

    @Override
    public long drainedTotal() {
        return opaqueHead() - firstIndex;
    }

    @Override
    public long fullTotal() {
        return opaqueFullTotal();
    }
}
