package io.microbatch.connect.stripe;

import java.util.Arrays;
import java.util.Objects;

/**
 * A ring of bytes for one reader thread and one drainer: events are written into memory that was allocated beforehand,
 * and leave it in runs. A run is what is published together, shares one token (where its events end upstream), lies in
 * one piece, and is never drained in parts.
 *
 * <p>The reader thread calls {@link #claim}, {@link #written}, {@link #submit}, {@link #publish}, {@link #runBytes} and
 * {@link #stagedCount}; the drainer calls {@link #peek} and {@link #drain}; either of them, or a third thread, calls
 * {@link #close}. The methods of {@link StripeProgress} are for any thread.
 *
 * <p>No method blocks, allocates, or throws for want of room. It counts events and bytes as {@link SpscRing} does; the
 * bytes are those that were written.
 *
 * <p>Sources: those of {@link SpscRing}; and that a message is never split at the end of the memory, as in M. Thompson,
 * <em>Agrona's ring buffers</em>, which pad the rest. Here the memory is longer than the ring by the longest run, and
 * the run that reaches over the end stays in one piece without a padding that could leave no room for it.
 *
 * @param <E> the type of the tokens
 */
public final class ByteRing<E> extends ByteRingFields.Pad6<E> {
    /*
     *      freed                 runPosition      next           freed + capacity
     *   ----+======+====+===========+................+------------------+----
     *         runs: the drainer's     the open run     free, the reader's
     *
     * Positions only grow, and a run lies at its position modulo the capacity. One that begins before the end of a lap
     * and reaches over it goes on into the spare memory behind; the next run begins with the next lap. The spare memory
     * is free by then: a run may only reach over the end of a lap if the ring has room up to there, and room is counted
     * from the oldest run that is not drained, which is then one of this lap, while the run that used the spare memory
     * before belongs to the lap before.
     *
     * What the two threads share is what every ring shares, with an index for each event: the release of the tail
     * publishes the bytes and the slot of a run. The head moves by whole runs; how far that is in runs and in bytes the
     * reader thread finds out from what it noted when it published them, and where a run lies both sides find out from
     * the sizes of those before it. So there is no other word that both sides write, and a claim within known room costs
     * two comparisons.
     */

    /** Answered by {@link #claim}: as {@link Offer#FULL}. */
    public static final int FULL = -1;
    /** Answered by {@link #claim}: as {@link Offer#CLOSED}. */
    public static final int CLOSED = -2;
    /** Answered by {@link #claim}: the open run would become longer than allowed; publish it and claim again. */
    public static final int RUN_FULL = -3;

    /**
     * An empty ring.
     *
     * @param capacityBytes the bytes that it holds, a power of two; as much memory is allocated, and a longest run more
     * @param maxRunBytes the most bytes of a run, half the capacity at most
     * @param capacityRuns the most runs, rounded up to a power of two
     */
    public ByteRing(int capacityBytes, int maxRunBytes, int capacityRuns) {
        this(capacityBytes, maxRunBytes, capacityRuns, 0);
    }

    /** As the other one, with indexes that begin elsewhere, so that a test can make them wrap. */
    ByteRing(int capacityBytes, int maxRunBytes, int capacityRuns, long firstIndex) {
        super(checked(capacityBytes), checked(maxRunBytes, capacityBytes), capacityRuns, firstIndex);
    }

    private static int checked(int capacityBytes) {
        if (Integer.bitCount(capacityBytes) != 1 || capacityBytes < 2 || capacityBytes > 1 << 29) {
            throw new IllegalArgumentException(
                    "capacityBytes must be a power of two, 2 to 2^29, and is " + capacityBytes);
        }
        return capacityBytes;
    }

    private static int checked(int maxRunBytes, int capacityBytes) {
        if (maxRunBytes < 1 || maxRunBytes > capacityBytes / 2) {
            throw new IllegalArgumentException(
                    "maxRunBytes must be 1 to " + capacityBytes / 2 + " and is " + maxRunBytes);
        }
        return maxRunBytes;
    }

    /**
     * Makes sure that so many bytes may be written behind the open run, from the answered index of {@link #bytes}; what
     * is there counts once {@link #written} is called. Claiming again without it answers the same index.
     *
     * @param sizeBytes at most {@link #maxRunBytes}
     * @return an index, or {@link #FULL}, {@link #CLOSED} or {@link #RUN_FULL}
     */
    @OwnedBy(OwnedBy.READER)
    public int claim(int sizeBytes) {
        int at = next;
        return open && at + sizeBytes <= nextEnd && opaqueClosed() == 0 ? at : claimSlowly(sizeBytes);
    }

    private int claimSlowly(int sizeBytes) {
        if (sizeBytes > maxRunBytes || sizeBytes < 0) {
            throw new IllegalArgumentException("a run has at most " + maxRunBytes + " bytes, not " + sizeBytes);
        }
        if (opaqueClosed() != 0) {
            return CLOSED;
        }
        int start = index(runPosition);
        if (next + sizeBytes - start > maxRunBytes) {
            return RUN_FULL;
        }
        if (!hasRoom(start, sizeBytes)) {
            knownHead = acquireHead();
            forgetDrained();
            if (!hasRoom(start, sizeBytes)) {
                opaqueFullTotal(opaqueFullTotal() + 1);
                return FULL;
            }
        }
        open = true;
        int roomBytes = (int) (freedPosition + capacity - runPosition);
        // With room up to the end of the lap, the spare memory behind it is there as well.
        nextEnd = start + (start + roomBytes >= capacity ? maxRunBytes : Math.min(roomBytes, maxRunBytes));
        return next;
    }

    /** Whether the open run may go on by what is known of the drainer; a new one also needs a slot, and keeps the limit. */
    private boolean hasRoom(int start, int sizeBytes) {
        int end = Math.min(next + sizeBytes, capacity);
        if (runPosition + (end - start) - freedPosition > capacity) {
            return false;
        }
        return open || (publishedRuns - freedRuns < slots.length && stagedTail - knownHead < opaqueLimitEvents());
    }

    private void forgetDrained() {
        // The head is always behind a whole run.
        while (freedIndex != knownHead) {
            int slot = (int) freedRuns & (slots.length - 1);
            freedIndex += counts[slot];
            freedPosition = positionBehind(freedPosition, sizesBytes[slot]);
            freedRuns++;
        }
    }

    /** The memory that {@link #claim} answers indexes of. Nobody may write anywhere else. */
    public byte[] bytes() {
        return bytes;
    }

    /** The bytes of the open run. */
    @OwnedBy(OwnedBy.READER)
    public int runBytes() {
        return next - index(runPosition);
    }

    /** Adds what was written at the claimed index to the open run: no more bytes than were claimed, at least one event. */
    @OwnedBy(OwnedBy.READER)
    public void written(int sizeBytes, int events) {
        next += sizeBytes;
        stagedBytes += sizeBytes;
        stagedTail += events;
    }

    /**
     * Copies events to the end of the open run: one, or a block of many that lie one behind the other as they are to be.
     *
     * @param source where they are
     * @param from the index of their first byte
     * @param sizeBytes how many bytes they have
     * @param events how many they are
     * @return an index, not negative, or as {@link #claim}, and then nothing has changed
     */
    @OwnedBy(OwnedBy.READER)
    public int submit(byte[] source, int from, int sizeBytes, int events) {
        int at = claim(sizeBytes);
        if (at >= 0) {
            System.arraycopy(source, from, bytes, at, sizeBytes);
            written(sizeBytes, events);
        }
        return at;
    }

    /**
     * Ends the open run and makes it visible to the drainer; nothing if there is none. Also works on a closed ring.
     *
     * @param run what the drainer gets with it
     */
    @OwnedBy(OwnedBy.READER)
    public void publish(E run) {
        Objects.requireNonNull(run, "run");
        int events = stagedCount();
        if (events == 0) {
            return;
        }
        int slot = (int) publishedRuns & (slots.length - 1);
        int sizeBytes = runBytes();
        slots[slot] = run;
        sizesBytes[slot] = sizeBytes;
        counts[slot] = events;
        runPosition = positionBehind(runPosition, sizeBytes);
        next = index(runPosition);
        open = false;
        publishedRuns++;
        releaseStaged();
    }

    /** The token of the oldest visible run, which stays where it is, or null. */
    @Override
    @OwnedBy(OwnedBy.DRAINER)
    public E peek() {
        return hasNext() ? run((int) drainedRuns & (slots.length - 1)) : null;
    }

    @Override
    int nextSizeBytes() {
        return hasNext() ? sizesBytes[(int) drainedRuns & (slots.length - 1)] : -1;
    }

    @Override
    int nextEvents() {
        return hasNext() ? counts[(int) drainedRuns & (slots.length - 1)] : 0;
    }

    /**
     * Takes the oldest runs and gives their memory back in one publication at the end. Takes one run at least, if there
     * is one, even when it is beyond the limits.
     *
     * @param maxEvents how many events to take; none if it is not positive
     * @param maxBytes how many bytes to take
     * @return how many events were taken
     */
    @OwnedBy(OwnedBy.DRAINER)
    public int drain(RunSink<? super E> sink, int maxEvents, long maxBytes) {
        long head = plainHead();
        if (knownTail - head < maxEvents) {
            knownTail = acquireTail();
        }
        int visible = (int) (knownTail - head);
        if (visible == 0 || maxEvents <= 0) {
            return 0;
        }
        int slotMask = slots.length - 1;
        int first = (int) drainedRuns & slotMask;
        int runs = 0;
        int taken = 0;
        long takenBytes = 0;
        try {
            while (taken < visible) {
                int slot = (first + runs) & slotMask;
                int events = counts[slot];
                int sizeBytes = sizesBytes[slot];
                if (runs > 0 && (taken + events > maxEvents || takenBytes + sizeBytes > maxBytes)) {
                    break;
                }
                int start = index(drainedPosition);
                runs++;
                taken += events;
                takenBytes += sizeBytes;
                drainedPosition = positionBehind(drainedPosition, sizeBytes);
                sink.take(run(slot), bytes, start, sizeBytes, events);
            }
            sink.end();
        } finally {
            // Also when the sink threw: what it was given is gone from the ring.
            clear(first, runs);
            drainedRuns += runs;
            opaqueDrainedBytes(plainDrainedBytes() + takenBytes);
            releaseHead(head + taken);
        }
        return taken;
    }

    private void clear(int first, int count) {
        int untilEnd = Math.min(count, slots.length - first);
        Arrays.fill(slots, first, first + untilEnd, null);
        Arrays.fill(slots, 0, count - untilEnd, null);
    }

    @SuppressWarnings("unchecked") // only tokens are put into the slots
    private E run(int slot) {
        return (E) slots[slot];
    }
}
