package io.microbatch.connect.stripe;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/*
 * Waking is two mirror images of one problem: a thread that is about to park must not miss what the other one does
 * right now. Each side writes, fences, and then reads what the other side writes (Dekker):
 *
 *      reader thread, signal            consumer, await
 *      W tail (and offered bytes)       W wakeAt, wakeAtBytes
 *      full fence                       full fence
 *      R wakeAt: reached? unpark        R tail: reached? do not park
 *
 *      reader thread, awaitSpace        consumer, after a drain
 *      W spaceWanted                    W head
 *      full fence                       full fence
 *      R head: moved? do not park       R spaceWanted: set? unpark
 *
 * Full fences are totally ordered. Whichever of the two comes second, the read behind it sees the write before the
 * other one: at least one side notices. Both noticing costs an early return from park, which both loops expect.
 * Closing is a third writer in both pictures: it writes "closed", fences, and reads who may be parked.
 *
 * Whoever wakes first takes the request back by compare-and-set, so that a thread is unparked once and not once per
 * burst until it gets the processor. The compare-and-set may hit a request newer than the one that was read; then that
 * newer one is answered by the same unpark, and its owner looks at everything again before it parks.
 *
 * While the consumer is busy wakeAt is IDLE, and the reader thread pays one fence and one read of a line that nobody
 * writes per burst.
 */

/**
 * The reader thread's side of one stripe: a ring and the two wake-ups that belong to it. All methods but {@link #close}
 * and {@link #progress} are for one thread at a time, the reader thread that owns this stripe and its source
 * partitions; a hand-over to another thread needs a happens-before edge of its own.
 *
 * <p>A reader thread stages the events of a run (equal source offsets) and publishes them together, and calls {@link
 * #signal} once after a burst: without it the consumer wakes at its deadline only. When it gets {@link Offer#FULL} it
 * calls {@link #awaitSpace} and offers again. Sizes are bytes.
 *
 * @param <E> the type of the events
 */
public final class StripeWriter<E> extends StripeWake.Pad1 {
    final SpscRing<E> ring;

    private final Runnable wakeConsumer;

    /** Only added to when the reader thread has waited, which costs more. */
    private final LongAdder blockedNanos = new LongAdder();

    StripeWriter(SpscRing<E> ring, Runnable wakeConsumer) {
        this.ring = ring;
        this.wakeConsumer = wakeConsumer;
    }

    // The reader thread's side

    /** As {@link SpscRing#stage}; {@link Offer#FULL} is also noted for the consumer. */
    @OwnedBy(OwnedBy.READER)
    public Offer stage(E event, int sizeBytes) {
        Offer outcome = ring.stage(event, sizeBytes);
        if (outcome == Offer.FULL) {
            foundFull();
        }
        return outcome;
    }

    /** As {@link SpscRing#publish}. */
    @OwnedBy(OwnedBy.READER)
    public void publish() {
        ring.publish();
    }

    /**
     * Wakes the consumer if it waits for what was published, or if this stripe was found full. Once after a burst, not
     * per event: it costs a full fence.
     */
    @OwnedBy(OwnedBy.READER)
    public void signal() {
        if (mustWake()) {
            LockSupport.unpark(opaqueConsumer());
        }
    }

    /** Asks the consumer to take what was published at once, as if this stripe were full: nothing more comes before. */
    @OwnedBy(OwnedBy.READER)
    public void signalToDrain() {
        foundFull();
        signal();
    }

    @OwnedBy(OwnedBy.READER)
    boolean mustWake() {
        VarHandle.fullFence(); // between what was published, or found full, and the look at wakeAt
        return claimWake();
    }

    /** Whether the consumer asked to be woken for what is there now, and this call is the one that has to do it. */
    @OwnedBy(OwnedBy.READER)
    boolean claimWake() {
        long wakeAt = acquireWakeAt();
        if (wakeAt == IDLE) {
            return false;
        }
        boolean reached = ring.plainTail() - wakeAt >= 0
                || ring.plainOfferedBytes() - opaqueWakeAtBytes() >= 0
                || opaqueSpaceWanted() != NOT_WANTED;
        return reached && casWakeAt(wakeAt, IDLE);
    }

    /** Notes for the consumer that the ring was full, so that it does not sit out its deadline. */
    @OwnedBy(OwnedBy.READER)
    private void foundFull() {
        if (opaqueSpaceWanted() == NOT_WANTED) {
            releaseSpaceWanted(FOUND_FULL);
        }
    }

    /**
     * Waits until the consumer took something from this stripe after its last {@link Offer#FULL}. Wakes the consumer
     * first, so no {@link #signal} is needed before it.
     *
     * @param maxNanos how long to wait at most, in nanoseconds
     * @throws InterruptedException if the reader thread is interrupted before or while it waits
     */
    @OwnedBy(OwnedBy.READER)
    public Space awaitSpace(long maxNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long start = System.nanoTime();
        opaqueReader(Thread.currentThread());
        try {
            for (; ; ) {
                Space space = askForSpace();
                if (space != null) {
                    return space;
                }
                long leftNanos = maxNanos - (System.nanoTime() - start);
                if (leftNanos <= 0) {
                    return Space.TIMED_OUT;
                }
                LockSupport.parkNanos(this, leftNanos);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            releaseSpaceWanted(NOT_WANTED);
            blockedNanos.add(System.nanoTime() - start);
        }
    }

    /** Asks to be woken and looks again; null if the thread that makes room, or closes, will wake the reader thread. */
    @OwnedBy(OwnedBy.READER)
    Space askForSpace() {
        releaseSpaceWanted(WAITING);
        signal(); // its fence also lies between the asking and the looks below
        if (ring.isClosed()) {
            return Space.CLOSED;
        }
        if (ring.headMoved()) {
            return Space.FREED;
        }
        return ring.onlyStagedLeft() ? Space.STAGED_ONLY : null;
    }

    // The consumer's side

    /** Asks to be woken; a full fence and another look at the tail have to follow before parking. */
    @OwnedBy(OwnedBy.CONSUMER)
    void arm(long atTail, long atOfferedBytes) {
        opaqueWakeAtBytes(atOfferedBytes);
        // IDLE itself cannot be asked for; one event early is only an early look.
        releaseWakeAt(atTail == IDLE ? IDLE - 1 : atTail);
    }

    @OwnedBy(OwnedBy.CONSUMER)
    void disarm() {
        releaseWakeAt(IDLE);
    }

    /** Tells the reader thread that the head moved; a full fence has to lie between the two. */
    @OwnedBy(OwnedBy.CONSUMER)
    void spaceFreed() {
        if (claimSpace()) {
            LockSupport.unpark(opaqueReader());
        }
    }

    /** Whether the reader thread waits for room, and this call is the one that has to wake it. */
    @OwnedBy(OwnedBy.CONSUMER)
    boolean claimSpace() {
        int wanted = acquireSpaceWanted();
        return wanted != NOT_WANTED && casSpaceWanted(wanted, NOT_WANTED) && wanted == WAITING;
    }

    // Any thread

    long blockedNanosTotal() {
        return blockedNanos.sum();
    }

    /**
     * Closes this stripe and wakes both sides; any thread, any number of times. What was published can still be
     * drained; what is only staged stays unseen.
     */
    public void close() {
        closeAndWakeReader();
        wakeConsumer.run();
    }

    void closeAndWakeReader() {
        ring.close();
        VarHandle.fullFence();
        LockSupport.unpark(opaqueReader());
    }

    /** How this stripe is doing; any thread. */
    public StripeProgress progress() {
        return ring;
    }
}
