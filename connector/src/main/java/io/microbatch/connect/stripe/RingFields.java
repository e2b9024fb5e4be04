package io.microbatch.connect.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/*
 * The fields of a ring, one class per owner, with padding between them. The virtual machine places the fields of a
 * superclass before those of its subclass, so the chain fixes the order, which a single class would not:
 *
 *   class                 writer           readers
 *   ...pad 128 bytes
 *   Cold                  reader thread    both; "closed" changes once, the slots when the ring grows
 *   ...pad 128 bytes
 *   Reader                reader thread    reader thread, and metrics
 *   ...pad 128 bytes
 *   Tail                  reader thread    consumer, when it has drained up to its known tail
 *   ...pad 128 bytes
 *   Head                  consumer         reader thread, when the ring is full by its known head
 *   ...pad 128 bytes
 *
 * Padding is 128 bytes and not 64, because the prefetcher of current x86 processors fetches cache lines in pairs. The
 * tail is not on the line of the reader thread's private fields, because a consumer that polls an empty ring keeps
 * taking the tail's line away. The release of the tail then waits in the store buffer, but a load of a private field on
 * that line would stall.
 */

/** The chain of classes above, of which {@link SpscRing} is the last. */
@SuppressWarnings("UnusedVariable") // the fields are accessed through their VarHandles
final class RingFields {
    private RingFields() {}

    /** Separates the line that both sides read from the object before the ring in memory. */
    abstract static class PadBefore {
        long z00, z01, z02, z03, z04, z05, z06, z07, z08, z09, z10, z11, z12, z13, z14, z15;
    }

    /** The fields that both sides read. Only closing and growing write them after construction. */
    abstract static class Cold extends PadBefore {
        private static final VarHandle CLOSED = RingAccess.field(MethodHandles.lookup(), "closed", int.class);

        /** Replaced, with the two fields below, only while no event is visible. */
        @OwnedBy(OwnedBy.READER)
        Object[] slots;

        @OwnedBy(OwnedBy.READER)
        int[] sizesBytes;

        @OwnedBy(OwnedBy.READER)
        int mask;

        final int capacityEvents;
        final long capacityBytes;
        final long firstIndex;
        private int closed;

        Cold(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            int slotCount = slotsFor(Math.min(capacityEvents, firstSlots));
            this.slots = new Object[slotCount];
            this.sizesBytes = new int[slotCount];
            this.mask = slotCount - 1;
            this.capacityEvents = capacityEvents;
            this.capacityBytes = capacityBytes;
            this.firstIndex = firstIndex;
        }

        /** The number of slots for this number of events: a power of two. */
        static int slotsFor(int events) {
            return Math.max(2, Integer.highestOneBit(Math.max(1, events - 1)) << 1);
        }

        final int opaqueClosed() {
            return (int) CLOSED.getOpaque(this);
        }

        final int acquireClosed() {
            return (int) CLOSED.getAcquire(this);
        }

        final void releaseClosed() {
            CLOSED.setRelease(this, 1);
        }
    }

    abstract static class Pad0 extends Cold {
        long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a10, a11, a12, a13, a14, a15;

        Pad0(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            super(capacityEvents, capacityBytes, firstIndex, firstSlots);
        }
    }

    /** The private fields of the reader thread. Metrics read the total of refused offers. */
    abstract static class Reader extends Pad0 {
        private static final VarHandle FULL_TOTAL = RingAccess.field(MethodHandles.lookup(), "fullTotal", long.class);

        /** The index of the next event: the tail plus the number of staged events. */
        @OwnedBy(OwnedBy.READER)
        long stagedTail;

        /** The total of staged bytes up to {@link #stagedTail}. */
        @OwnedBy(OwnedBy.READER)
        long stagedBytes;

        /** The head when the reader thread last read it. The real head is never behind it, so its room is free. */
        @OwnedBy(OwnedBy.READER)
        long knownHead;

        /** The index at which the ring is full by the known head, kept to save a subtraction per event. */
        @OwnedBy(OwnedBy.READER)
        long roomEnd;

        /** The total of bytes at which the ring is full by the drained bytes of the same look. */
        @OwnedBy(OwnedBy.READER)
        long roomEndBytes;

        /** Whether events within the limits found no slot, so that the ring grows when no event is visible. */
        @OwnedBy(OwnedBy.READER)
        boolean crowded;

        @OwnedBy(OwnedBy.READER)
        private long fullTotal;

        Reader(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            super(capacityEvents, capacityBytes, firstIndex, firstSlots);
            this.stagedTail = firstIndex;
            this.knownHead = firstIndex;
            this.roomEnd = firstIndex + Math.min(capacityEvents, slots.length);
            this.roomEndBytes = capacityBytes;
        }

        final long opaqueFullTotal() {
            return (long) FULL_TOTAL.getOpaque(this);
        }

        final void opaqueFullTotal(long total) {
            FULL_TOTAL.setOpaque(this, total);
        }
    }

    abstract static class Pad1 extends Reader {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Pad1(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            super(capacityEvents, capacityBytes, firstIndex, firstSlots);
        }
    }

    /** The fields that the reader thread publishes. */
    abstract static class Tail extends Pad1 {
        private static final VarHandle TAIL = RingAccess.field(MethodHandles.lookup(), "tail", long.class);
        private static final VarHandle OFFERED_BYTES =
                RingAccess.field(MethodHandles.lookup(), "offeredBytes", long.class);

        @OwnedBy(OwnedBy.READER)
        private long tail;

        @OwnedBy(OwnedBy.READER)
        private long offeredBytes;

        Tail(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            super(capacityEvents, capacityBytes, firstIndex, firstSlots);
            this.tail = firstIndex;
        }

        final long plainTail() {
            return tail;
        }

        final long opaqueTail() {
            return (long) TAIL.getOpaque(this);
        }

        final long acquireTail() {
            return (long) TAIL.getAcquire(this);
        }

        final void releaseTail(long index) {
            TAIL.setRelease(this, index);
        }

        final long plainOfferedBytes() {
            return offeredBytes;
        }

        final long acquireOfferedBytes() {
            return (long) OFFERED_BYTES.getAcquire(this);
        }

        final void releaseOfferedBytes(long bytes) {
            OFFERED_BYTES.setRelease(this, bytes);
        }
    }

    abstract static class Pad2 extends Tail {
        long c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15;

        Pad2(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            super(capacityEvents, capacityBytes, firstIndex, firstSlots);
        }
    }

    /** The fields that the consumer publishes, and its known tail. They change once per drain. */
    abstract static class Head extends Pad2 {
        private static final VarHandle HEAD = RingAccess.field(MethodHandles.lookup(), "head", long.class);
        private static final VarHandle DRAINED_BYTES =
                RingAccess.field(MethodHandles.lookup(), "drainedBytes", long.class);
        private static final VarHandle DRAIN_END = RingAccess.field(MethodHandles.lookup(), "drainEnd", long.class);
        private static final VarHandle LIMIT_EVENTS =
                RingAccess.field(MethodHandles.lookup(), "limitEvents", int.class);

        @OwnedBy(OwnedBy.CONSUMER)
        private long head;

        @OwnedBy(OwnedBy.CONSUMER)
        private long drainedBytes;

        /** The head at the end of the drain that runs or ran last: what is before it leaves, or has left. */
        @OwnedBy(OwnedBy.CONSUMER)
        private long drainEnd;

        /** On the head's line, because the reader thread reads both when the ring is full by its known head. */
        @OwnedBy(OwnedBy.CONSUMER)
        private int limitEvents = Integer.MAX_VALUE;

        /** The tail when the consumer last read it. All events before it are visible. */
        @OwnedBy(OwnedBy.CONSUMER)
        long knownTail;

        Head(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            super(capacityEvents, capacityBytes, firstIndex, firstSlots);
            this.head = firstIndex;
            this.drainEnd = firstIndex;
            this.knownTail = firstIndex;
        }

        final long plainHead() {
            return head;
        }

        final long opaqueHead() {
            return (long) HEAD.getOpaque(this);
        }

        final long acquireHead() {
            return (long) HEAD.getAcquire(this);
        }

        final void releaseHead(long index) {
            HEAD.setRelease(this, index);
        }

        final long plainDrainedBytes() {
            return drainedBytes;
        }

        final long opaqueDrainedBytes() {
            return (long) DRAINED_BYTES.getOpaque(this);
        }

        final void opaqueDrainedBytes(long bytes) {
            DRAINED_BYTES.setOpaque(this, bytes);
        }

        final long opaqueDrainEnd() {
            return (long) DRAIN_END.getOpaque(this);
        }

        final void opaqueDrainEnd(long index) {
            DRAIN_END.setOpaque(this, index);
        }

        final int opaqueLimitEvents() {
            return (int) LIMIT_EVENTS.getOpaque(this);
        }

        final void opaqueLimitEvents(int events) {
            LIMIT_EVENTS.setOpaque(this, events);
        }
    }

    abstract static class Pad3 extends Head {
        long d00, d01, d02, d03, d04, d05, d06, d07, d08, d09, d10, d11, d12, d13, d14, d15;

        Pad3(int capacityEvents, long capacityBytes, long firstIndex, int firstSlots) {
            super(capacityEvents, capacityBytes, firstIndex, firstSlots);
        }
    }
}
