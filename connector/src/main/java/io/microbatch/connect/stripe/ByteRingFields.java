package io.microbatch.connect.stripe;

/** The fields that {@link ByteRing} has besides those of every ring, on lines of their own; see {@link RingFields}. */
final class ByteRingFields {
    private ByteRingFields() {}

    /** What nobody writes after construction, but for the contents of the arrays. */
    abstract static class Cold<E> extends Ring<E> {
        final byte[] bytes;
        final int capacity;
        final int maxRunBytes;

        /** How many events each run has. Its token and its size are in the ring's slots; where it lies follows from these. */
        final int[] counts;

        Cold(int capacityBytes, int maxRunBytes, int capacityRuns, long firstIndex) {
            super(capacityRuns, capacityBytes, capacityBytes, firstIndex);
            this.bytes = new byte[capacityBytes + maxRunBytes];
            this.capacity = capacityBytes;
            this.maxRunBytes = maxRunBytes;
            this.counts = new int[slots.length];
        }

        /** The index of the byte at a position. */
        final int index(long position) {
            return (int) position & (capacity - 1);
        }

        /** The position behind a run that begins at this one: one that reaches over the end of the lap ends there. */
        final long positionBehind(long position, int sizeBytes) {
            return position + Math.min(sizeBytes, capacity - index(position));
        }
    }

    abstract static class Pad4<E> extends Cold<E> {
        long e00, e01, e02, e03, e04, e05, e06, e07, e08, e09, e10, e11, e12, e13, e14, e15;

        Pad4(int capacityBytes, int maxRunBytes, int capacityRuns, long firstIndex) {
            super(capacityBytes, maxRunBytes, capacityRuns, firstIndex);
        }
    }

    /** Private to the reader thread. */
    abstract static class Reader<E> extends Pad4<E> {
        /** Where the open run begins. Positions only grow; a run lies at its position modulo the capacity. */
        @OwnedBy(OwnedBy.READER)
        long runPosition;

        /** The array's index of the next byte to be written. */
        @OwnedBy(OwnedBy.READER)
        int next;

        /** The index up to which the open run may grow by what is known of the drainer. */
        @OwnedBy(OwnedBy.READER)
        int nextEnd;

        /** Whether a run is open that has room so far. */
        @OwnedBy(OwnedBy.READER)
        boolean open;

        /** How many runs were published. */
        @OwnedBy(OwnedBy.READER)
        long publishedRuns;

        /** How many of them are known to be drained, and behind the last one of those the position and the event's index. */
        @OwnedBy(OwnedBy.READER)
        long freedRuns;

        @OwnedBy(OwnedBy.READER)
        long freedPosition;

        @OwnedBy(OwnedBy.READER)
        long freedIndex;

        Reader(int capacityBytes, int maxRunBytes, int capacityRuns, long firstIndex) {
            super(capacityBytes, maxRunBytes, capacityRuns, firstIndex);
            this.freedIndex = firstIndex;
        }
    }

    abstract static class Pad5<E> extends Reader<E> {
        long f00, f01, f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, f12, f13, f14, f15;

        Pad5(int capacityBytes, int maxRunBytes, int capacityRuns, long firstIndex) {
            super(capacityBytes, maxRunBytes, capacityRuns, firstIndex);
        }
    }

    /** Private to the drainer. */
    abstract static class Drainer<E> extends Pad5<E> {
        /** How many runs were drained, and the position behind the last one. */
        @OwnedBy(OwnedBy.DRAINER)
        long drainedRuns;

        @OwnedBy(OwnedBy.DRAINER)
        long drainedPosition;

        Drainer(int capacityBytes, int maxRunBytes, int capacityRuns, long firstIndex) {
            super(capacityBytes, maxRunBytes, capacityRuns, firstIndex);
        }
    }

    abstract static class Pad6<E> extends Drainer<E> {
        long g00, g01, g02, g03, g04, g05, g06, g07, g08, g09, g10, g11, g12, g13, g14, g15;

        Pad6(int capacityBytes, int maxRunBytes, int capacityRuns, long firstIndex) {
            super(capacityBytes, maxRunBytes, capacityRuns, firstIndex);
        }
    }
}
