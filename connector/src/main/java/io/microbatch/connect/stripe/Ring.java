package io.microbatch.connect.stripe;

import java.lang.invoke.VarHandle;

/**
 * What rings have in common: how much was offered and drained, as each side and any other thread may ask it, the limit
 * and the closing. What lies in a ring, and how it gets in and out, is its subclass's.
 *
 * @param <E> what the drainer takes
 */
abstract class Ring<E> extends RingFields.Pad3 implements StripeProgress {

    Ring(int slotsWanted, int capacityEvents, long capacityBytes, long firstIndex) {
        super(slotsWanted, capacityEvents, capacityBytes, firstIndex);
    }

    /** Has this ring hold so many events at most, at least 1, within its capacity; but a staged run as far as that goes. */
    @OwnedBy(OwnedBy.DRAINER)
    final void limit(int events) {
        opaqueLimitEvents(Math.max(1, events));
    }

    /** How many events are staged and not yet published. */
    @OwnedBy(OwnedBy.READER)
    public final int stagedCount() {
        return (int) (stagedTail - plainTail());
    }

    /** Whether the drainer took anything since this ring last answered that it is full. */
    @OwnedBy(OwnedBy.READER)
    final boolean headMoved() {
        return acquireHead() != knownHead;
    }

    /** Whether every published event is drained and only staged ones take room. */
    @OwnedBy(OwnedBy.READER)
    final boolean onlyStagedLeft() {
        return stagedCount() > 0 && acquireHead() == plainTail();
    }

    /** Makes what is staged visible to the drainer, as a whole. */
    @OwnedBy(OwnedBy.READER)
    final void releaseStaged() {
        releaseTail(stagedTail);
        releaseOfferedBytes(stagedBytes);
    }

    /** Whether there is something to drain. */
    @OwnedBy(OwnedBy.DRAINER)
    final boolean hasNext() {
        long head = plainHead();
        if (knownTail == head) {
            knownTail = acquireTail();
        }
        return knownTail != head;
    }

    /** What the next drain begins with, which stays where it is, or null. */
    @OwnedBy(OwnedBy.DRAINER)
    abstract E peek();

    /** The bytes that the next drain takes at least, or -1 if there is nothing. */
    @OwnedBy(OwnedBy.DRAINER)
    abstract int nextSizeBytes();

    /** The events that the next drain takes at least. */
    @OwnedBy(OwnedBy.DRAINER)
    abstract int nextEvents();

    /**
     * Closes the ring for new events; what it holds can still be drained. Any thread, any number of times. An offer
     * that runs at the same moment may still be accepted; one that begins after the closing is visible is not. Staged
     * events are not published by closing.
     */
    public final void close() {
        releaseClosed();
    }

    /** Whether the ring is closed. When it is, what its reader thread published before closing it is visible. */
    public final boolean isClosed() {
        return acquireClosed() != 0;
    }

    @Override
    public final long sizeEvents() {
        // Head first: the tail read after it is never behind it. It may be ahead by more than the ring holds.
        long head = acquireHead();
        return Math.min(acquireTail() - head, capacityEvents);
    }

    @Override
    public final long sizeBytes() {
        long drained = opaqueDrainedBytes();
        VarHandle.acquireFence();
        return Math.max(0, acquireOfferedBytes() - drained);
    }

    @Override
    public final int capacityEvents() {
        return capacityEvents;
    }

    @Override
    public final long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public final long offeredTotal() {
        return opaqueTail() - firstIndex;
    }

    @Override
    public final long drainedTotal() {
        return opaqueHead() - firstIndex;
    }

    @Override
    public final long fullTotal() {
        return opaqueFullTotal();
    }
}
