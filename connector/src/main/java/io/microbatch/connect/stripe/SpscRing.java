package io.microbatch.connect.stripe;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * A ring for one reader thread and one consumer, bounded in events and in bytes.
 *
 * <p>The reader thread calls {@link #stage} and {@link #publish}; the consumer calls {@link #peek}, {@link
 * #nextSizeBytes} and {@link #drain}; either of them, or a third thread, calls {@link #close}. The methods of {@link
 * StripeProgress} are for any thread. Which thread is which may change, if the change itself is a happens-before edge.
 * Sizes are bytes as the caller counts them; nothing is measured here.
 *
 * <p>No method blocks, allocates, or throws for want of room. A null event or a negative size is a programming error
 * and throws before anything changed.
 *
 * <p>Sources: L. Lamport, <em>Specifying Concurrent Program Modules</em> (1983), the ring itself; J. Giacomoni, T.
 * Moseley, M. Vachharajani, <em>FastForward for Efficient Pipeline Parallelism</em> (2008), why the two sides should
 * not read each other's index for every event; P. Lee, T. Bu, G. Chandranmenon, <em>A Lock-Free, Cache-Efficient
 * Shared Ring Buffer for Multi-Core Architectures</em> (2009, MCRingBuffer), indexes kept from the last look and
 * published once per batch; J. Wang, K. Zhang, X. Tang, B. Hua, <em>B-Queue: Efficient and Practical Queuing for Fast
 * Core-to-Core Communication</em> (2013), batching without a producer that waits for a batch to fill up.
 *
 * @param <E> the type of the events
 */
public final class SpscRing<E> extends RingFields.Pad3 implements StripeProgress {
    /*
     * Three counters rule the ring, and all of them only grow (and wrap, so they are compared by difference):
     *
     *      head              tail              stagedTail         head + capacity
     *   ----+==================+..................+------------------+----
     *        the consumer's      the reader's,      free, the reader's
     *                            not yet visible
     *
     * Ownership of a slot moves with the two indexes, which is why the slots need no ordering of their own:
     *  - The reader thread writes slots in [tail, stagedTail) plainly and releases the tail. The consumer acquires the
     *    tail and then sees the slots, and what the events refer to.
     *  - The consumer reads and clears slots in [head, tail) plainly and releases the head. The reader thread acquires
     *    the head before it writes such a slot again, so its write comes after the clearing and cannot be wiped out.
     * One release of the tail covers everything staged, so a run becomes visible as a whole or not at all.
     *
     * Each side keeps the opposite index from its last look and looks again only when that one is used up. A stale
     * index errs on the safe side: less room, or fewer events, than there are.
     *
     * Bytes are counted with the indexes. Drained bytes are written before the head and read after it, so the reader
     * thread may meet ones newer than the head it acquired. That is harmless: they were drained, and the slots are
     * guarded by the head alone. The check whether the ring is empty, which lets an oversized event in, uses the
     * indexes. Offered bytes are written after the tail and read before it: a thread that sees bytes can drain them.
     * Until they arrive the consumer may have drained more than was offered, as it looks; that counts as nothing
     * buffered.
     */

    /**
     * An empty ring.
     *
     * @param capacityEvents the most events it holds, 1 to 2^30; the slots are the next power of two
     * @param capacityBytes the most bytes it holds, at least 1; an event larger than that is held alone
     */
    public SpscRing(int capacityEvents, long capacityBytes) {
        this(capacityEvents, capacityBytes, 0);
    }

    /** As the other one, with indexes that begin elsewhere, so that a test can make them wrap. */
    SpscRing(int capacityEvents, long capacityBytes, long firstIndex) {
        super(checkedEvents(capacityEvents), checkedBytes(capacityBytes), firstIndex);
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
     * Puts an event behind the staged ones without making it visible: {@link #publish} does that. {@link Offer#FULL}
     * may mean that the staged events themselves take the room; then only publishing them lets a drain make some.
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
        // Masked with the length itself, which the compiler takes as the proof that the index is within bounds.
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
        roomEnd = knownHead + Math.min(capacityEvents, opaqueLimitEvents());
        roomEndBytes = opaqueDrainedBytes() + capacityBytes;
        // A run that has begun goes on past the limit, but not into the room that the next one takes for granted.
        long end = stagedCount() > 0 ? knownHead + capacityEvents : roomEnd;
        return index == knownHead || (index - end < 0 && bytesAfter - roomEndBytes <= 0);
    }

    /** Makes what is staged visible to the consumer, all of it at once. Also works on a closed ring. */
    @OwnedBy(OwnedBy.READER)
    public void publish() {
        releaseTail(stagedTail);
        releaseOfferedBytes(stagedBytes);
    }

    /** How many events are staged and not yet published. */
    @OwnedBy(OwnedBy.READER)
    int stagedCount() {
        return (int) (stagedTail - plainTail());
    }

    /** Whether the consumer took anything since this ring last answered that it is full. */
    @OwnedBy(OwnedBy.READER)
    boolean headMoved() {
        return acquireHead() != knownHead;
    }

    /** Whether every published event is drained and only staged ones take room. */
    @OwnedBy(OwnedBy.READER)
    boolean onlyStagedLeft() {
        return stagedCount() > 0 && acquireHead() == plainTail();
    }

    /** Limits the ring to this many events, at least 1, within its capacity; a run that has begun may exceed it. */
    @OwnedBy(OwnedBy.CONSUMER)
    void limit(int events) {
        opaqueLimitEvents(Math.max(1, events));
    }

    /** The oldest visible event, which stays where it is, or null. */
    @OwnedBy(OwnedBy.CONSUMER)
    public E peek() {
        return hasNext() ? event((int) plainHead() & mask) : null;
    }

    /** The size in bytes of the oldest visible event, or -1 if there is none. */
    @OwnedBy(OwnedBy.CONSUMER)
    public int nextSizeBytes() {
        return hasNext() ? sizesBytes[(int) plainHead() & mask] : -1;
    }

    /** Whether there is something to drain. */
    @OwnedBy(OwnedBy.CONSUMER)
    private boolean hasNext() {
        long head = plainHead();
        if (knownTail == head) {
            knownTail = acquireTail();
        }
        return knownTail != head;
    }

    /**
     * Takes the oldest events and gives their slots back in one publication at the end. Takes one event at least, if
     * there is one, even when it is larger than {@code maxBytes}; goes past both limits as long as the next event must
     * not be separated from the last one.
     *
     * @param maxEvents how many events to take; none if it is not positive
     * @param maxBytes how many bytes to take
     * @param rule asked at the end only, between the last event taken and the next one visible
     * @return how many events were taken
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public int drain(DrainSink<? super E> sink, int maxEvents, long maxBytes, Inseparable<? super E> rule) {
        long head = plainHead();
        if (knownTail - head < maxEvents) {
            knownTail = acquireTail();
        }
        // Every publication holds whole runs, so the last visible event is a safe place to end at.
        int visible = (int) (knownTail - head);
        if (visible == 0 || maxEvents <= 0) {
            return 0;
        }
        int count = countToTake((int) head, visible, Math.min(visible, maxEvents), maxBytes, rule);
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
            // Also when the sink threw: what it was given is gone from the ring.
            long bytes = bytesOf((int) head, taken);
            clear((int) head, taken);
            opaqueDrainedBytes(plainDrainedBytes() + bytes);
            releaseHead(head + taken);
        }
        return taken;
    }

    /** How many to take, both limits and the rule kept: mostly all that is wanted, found by one sum. */
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
     * Closes the ring for new events; what it holds can still be drained. Any thread, any number of times. An offer
     * that runs at the same moment may still be accepted; one that begins after the closing is visible is not. Staged
     * events are not published by closing.
     */
    public void close() {
        releaseClosed();
    }

    /** Whether the ring is closed. When it is, what its reader thread published before closing it is visible. */
    public boolean isClosed() {
        return acquireClosed() != 0;
    }

    @Override
    public long sizeEvents() {
        // Head first: the tail read after it is never behind it. It may be ahead by more than the ring holds.
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
