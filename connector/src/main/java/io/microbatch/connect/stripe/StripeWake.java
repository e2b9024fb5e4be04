package io.microbatch.connect.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The shared fields of {@link StripeWriter}, on their own cache line by the padding of {@link RingFields}. */
@SuppressWarnings("UnusedVariable") // the fields are accessed through their VarHandles
final class StripeWake {
    private StripeWake() {}

    abstract static class Pad0 {
        long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a10, a11, a12, a13, a14, a15;
    }

    /**
     * The requests of the two sides to be woken, which change only when a side is about to wait or is woken, and what a
     * reader thread says of the time: at most one mark or pause for each burst.
     */
    abstract static class Fields extends Pad0 {
        static final long IDLE = Long.MAX_VALUE;

        static final int NOT_WANTED = 0;
        static final int FOUND_FULL = 1;
        static final int WAITING = 2;

        private static final VarHandle WAKE_AT = RingAccess.field(MethodHandles.lookup(), "wakeAt", long.class);
        private static final VarHandle WAKE_AT_BYTES =
                RingAccess.field(MethodHandles.lookup(), "wakeAtBytes", long.class);
        private static final VarHandle ARMED_UNTIL = RingAccess.field(MethodHandles.lookup(), "armedUntil", long.class);
        private static final VarHandle CONSUMER = RingAccess.field(MethodHandles.lookup(), "consumer", Thread.class);
        private static final VarHandle SPACE_WANTED =
                RingAccess.field(MethodHandles.lookup(), "spaceWanted", int.class);
        private static final VarHandle READER = RingAccess.field(MethodHandles.lookup(), "reader", Thread.class);

        private static final VarHandle LEAVE_BY_TAIL =
                RingAccess.field(MethodHandles.lookup(), "leaveByTail", long.class);
        private static final VarHandle LEAVE_BY_NANOS =
                RingAccess.field(MethodHandles.lookup(), "leaveByNanos", long.class);

        private static final VarHandle PAUSE_TAIL = RingAccess.field(MethodHandles.lookup(), "pauseTail", long.class);
        private static final VarHandle PAUSE_NANOS = RingAccess.field(MethodHandles.lookup(), "pauseNanos", long.class);

        /** The tail at which to wake the consumer, or {@link #IDLE}. The reader thread resets it. */
        @OwnedBy(OwnedBy.CONSUMER)
        private long wakeAt = IDLE;

        /** The total of offered bytes at which to wake the consumer, unless {@link #wakeAt} is idle. */
        @OwnedBy(OwnedBy.CONSUMER)
        private long wakeAtBytes;

        /**
         * A leave-by mark before this time wakes the consumer, and so does a pause that ends after it, unless {@link
         * #wakeAt} is idle.
         */
        @OwnedBy(OwnedBy.CONSUMER)
        private long armedUntil;

        @OwnedBy(OwnedBy.CONSUMER)
        private Thread consumer;

        /** The leave-by mark applies to the events before this index. It holds while the head is before it too. */
        @OwnedBy(OwnedBy.READER)
        private long leaveByTail;

        /** The time by which these events should leave. It is not put off while the mark holds. */
        @OwnedBy(OwnedBy.READER)
        private long leaveByNanos;

        /** The pause applies while the tail is at this index. */
        @OwnedBy(OwnedBy.READER)
        private long pauseTail;

        /** The time before which the reader thread publishes nothing more. */
        @OwnedBy(OwnedBy.READER)
        private long pauseNanos;

        /** Whether the reader thread found the ring full, and whether it waits for room. The consumer resets it. */
        @OwnedBy(OwnedBy.READER)
        private int spaceWanted;

        @OwnedBy(OwnedBy.READER)
        private Thread reader;

        final long plainLeaveByTail() {
            return leaveByTail;
        }

        final long acquireLeaveByTail() {
            return (long) LEAVE_BY_TAIL.getAcquire(this);
        }

        final void releaseLeaveByTail(long index) {
            LEAVE_BY_TAIL.setRelease(this, index);
        }

        final long plainLeaveByNanos() {
            return leaveByNanos;
        }

        final long opaqueLeaveByNanos() {
            return (long) LEAVE_BY_NANOS.getOpaque(this);
        }

        final void opaqueLeaveByNanos(long nanos) {
            LEAVE_BY_NANOS.setOpaque(this, nanos);
        }

        final long acquirePauseTail() {
            return (long) PAUSE_TAIL.getAcquire(this);
        }

        final void releasePauseTail(long index) {
            PAUSE_TAIL.setRelease(this, index);
        }

        final long plainPauseNanos() {
            return pauseNanos;
        }

        final long opaquePauseNanos() {
            return (long) PAUSE_NANOS.getOpaque(this);
        }

        final void opaquePauseNanos(long nanos) {
            PAUSE_NANOS.setOpaque(this, nanos);
        }

        final long acquireWakeAt() {
            return (long) WAKE_AT.getAcquire(this);
        }

        final void releaseWakeAt(long index) {
            WAKE_AT.setRelease(this, index);
        }

        final boolean casWakeAt(long expected, long index) {
            return WAKE_AT.compareAndSet(this, expected, index);
        }

        final long opaqueWakeAtBytes() {
            return (long) WAKE_AT_BYTES.getOpaque(this);
        }

        final void opaqueWakeAtBytes(long bytes) {
            WAKE_AT_BYTES.setOpaque(this, bytes);
        }

        final long opaqueArmedUntil() {
            return (long) ARMED_UNTIL.getOpaque(this);
        }

        final void opaqueArmedUntil(long nanos) {
            ARMED_UNTIL.setOpaque(this, nanos);
        }

        final Thread opaqueConsumer() {
            return (Thread) CONSUMER.getOpaque(this);
        }

        final void opaqueConsumer(Thread thread) {
            CONSUMER.setOpaque(this, thread);
        }

        final int opaqueSpaceWanted() {
            return (int) SPACE_WANTED.getOpaque(this);
        }

        final int acquireSpaceWanted() {
            return (int) SPACE_WANTED.getAcquire(this);
        }

        final void releaseSpaceWanted(int wanted) {
            SPACE_WANTED.setRelease(this, wanted);
        }

        final boolean casSpaceWanted(int expected, int wanted) {
            return SPACE_WANTED.compareAndSet(this, expected, wanted);
        }

        final Thread opaqueReader() {
            return (Thread) READER.getOpaque(this);
        }

        final void opaqueReader(Thread thread) {
            READER.setOpaque(this, thread);
        }
    }

    abstract static class Pad1 extends Fields {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;
    }
}
