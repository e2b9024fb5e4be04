package io.microbatch.connect.stripe;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/*
 * All wake-ups solve the same problem: a thread that is about to park must not miss a concurrent write of the other
 * thread. Each side writes, executes a full fence, and then reads the other side's field (Dekker):
 *
 *      reader thread, signal            consumer, await
 *      W tail (and offered bytes)       W wakeAt, wakeAtBytes
 *      full fence                       full fence
 *      R wakeAt: reached? unpark        R tail: reached? do not park
 *
 *      reader thread, leaveBy           consumer, await
 *      W leaveByNanos, leaveByTail      W wakeAt, armedUntil
 *      full fence                       full fence
 *      R armedUntil: later? unpark      R leaveByTail: holds, and earlier? do not park
 *
 *      reader thread, pausesUntil       consumer, await
 *      W pauseNanos, pauseTail          W wakeAt, armedUntil
 *      full fence                       full fence
 *      R armedUntil: earlier? unpark    R pauseTail: holds, and later? do not park
 *
 *      reader thread, awaitSpace        consumer, after a drain
 *      W spaceWanted                    W head
 *      full fence                       full fence
 *      R head: moved? do not park       R spaceWanted: set? unpark
 *
 * Full fences are totally ordered. The read after the second fence sees the write before the first one, so at least one
 * side notices the other. If both do, park returns early, which both loops expect. Closing is a third writer in both
 * tables: it writes "closed", executes a fence, and reads which thread may be parked.
 *
 * The waking thread takes the request back by compare-and-set, so that a thread is unparked once and not once per burst
 * until it runs. The compare-and-set may succeed on a newer request than the one that was read. Then the same unpark
 * answers the newer one, whose owner looks again before it parks.
 *
 * While the consumer is busy, wakeAt is IDLE. The reader thread then pays one fence per burst, and one read of a line
 * that only marks and pauses write.
 */

/**
 * The reader thread's side of one stripe: a ring and its two wake-ups. Only the reader thread that owns the stripe
 * calls the methods, except {@link #close} and {@link #progress}. Another thread may take the stripe over with a
 * happens-before edge.
 *
 * <p>A reader thread stages the events of a run (same source offset) and publishes them together. It calls {@link
 * #signal} once after a burst; otherwise the consumer wakes only at its deadline. After {@link Offer#FULL} it calls
 * {@link #awaitSpace} and offers again. Sizes are bytes.
 *
 * @param <E> the type of the events
 */
public final class StripeWriter<E> extends StripeWake.Pad1 {
    final SpscRing<E> ring;

    private final Runnable wakeConsumer;

    /** The reader thread adds to it only after a wait, which costs more. */
    private final LongAdder blockedNanos = new LongAdder();

    StripeWriter(SpscRing<E> ring, Runnable wakeConsumer) {
        this.ring = ring;
        this.wakeConsumer = wakeConsumer;
        releaseLeaveByTail(ring.firstIndex);
        releasePauseTail(ring.firstIndex - 1);
    }

    // The reader thread's side

    /** As {@link SpscRing#stage}. Also notes {@link Offer#FULL} for the consumer. */
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
     * Wakes the consumer if it waits for the published events, or if this stripe was found full. Call it once after a
     * burst, because it costs a full fence.
     */
    @OwnedBy(OwnedBy.READER)
    public void signal() {
        if (mustWake()) {
            LockSupport.unpark(opaqueConsumer());
        }
    }

    /**
     * Marks the published events: the consumer should take them at this time at the latest. Wakes the consumer if it
     * waits for longer, or for these events. A mark that still holds is never put off. It costs a full fence, so a
     * reader thread calls it after {@link #publish} and instead of {@link #signal}.
     *
     * @param nanos the time, in nanoseconds of the stripe set's clock; it may have passed
     */
    @OwnedBy(OwnedBy.READER)
    public void leaveBy(long nanos) {
        if (markAndClaimWake(nanos)) {
            LockSupport.unpark(opaqueConsumer());
        }
    }

    /** Sets the mark, and returns whether this call must wake the consumer. */
    @OwnedBy(OwnedBy.READER)
    boolean markAndClaimWake(long nanos) {
        // Not the head: a mark is not to be made earlier by one whose events leave in the drain that runs. If the end
        // is an old one, the time is earlier than it could be, until the next drain.
        boolean holds = ring.opaqueDrainEnd() - plainLeaveByTail() < 0;
        if (!holds || nanos - plainLeaveByNanos() < 0) {
            opaqueLeaveByNanos(nanos);
        }
        releaseLeaveByTail(ring.plainTail());
        VarHandle.fullFence(); // between the mark, or the publication, and the read of wakeAt
        return claimWake(Notice.MARK);
    }

    /**
     * Announces that no event is expected after the published ones before this time. The announcement holds until the
     * next publication. Wakes the consumer if it waits for an earlier time, for which there is no reason then, or for
     * these events. It costs a full fence, so a reader thread calls it after {@link #publish} and instead of {@link
     * #signal}.
     *
     * @param nanos the time, in nanoseconds of the stripe set's clock
     */
    @OwnedBy(OwnedBy.READER)
    public void pausesUntil(long nanos) {
        if (pauseAndClaimWake(nanos)) {
            LockSupport.unpark(opaqueConsumer());
        }
    }

    /** Announces the pause, and returns whether this call must wake the consumer. */
    @OwnedBy(OwnedBy.READER)
    boolean pauseAndClaimWake(long nanos) {
        opaquePauseNanos(nanos);
        releasePauseTail(ring.plainTail());
        VarHandle.fullFence(); // between the pause, or the publication, and the read of wakeAt
        return claimWake(Notice.PAUSE);
    }

    /** Asks the consumer to take the published events immediately, as if the stripe were full. */
    @OwnedBy(OwnedBy.READER)
    public void signalToDrain() {
        foundFull();
        signal();
    }

    /** As {@link StripeSet#wake}. */
    @OwnedBy(OwnedBy.READER)
    public void wakeConsumer() {
        wakeConsumer.run();
    }

    @OwnedBy(OwnedBy.READER)
    boolean mustWake() {
        VarHandle.fullFence(); // between the publication, or finding the ring full, and the read of wakeAt
        return claimWake(Notice.EVENTS);
    }

    /** What may be new to the consumer. */
    private enum Notice {
        EVENTS,
        MARK,
        PAUSE
    }

    /** Whether the consumer's request is met and this call must wake it. */
    @OwnedBy(OwnedBy.READER)
    private boolean claimWake(Notice notice) {
        long wakeAt = acquireWakeAt();
        if (wakeAt == IDLE) {
            return false;
        }
        boolean reached = ring.plainTail() - wakeAt >= 0
                || ring.plainOfferedBytes() - opaqueWakeAtBytes() >= 0
                || opaqueSpaceWanted() != NOT_WANTED
                || (notice == Notice.MARK && plainLeaveByNanos() - opaqueArmedUntil() < 0)
                || (notice == Notice.PAUSE && plainPauseNanos() - opaqueArmedUntil() > 0);
        return reached && casWakeAt(wakeAt, IDLE);
    }

    /** Notes that the ring was full, so that the consumer does not wait for its deadline. */
    @OwnedBy(OwnedBy.READER)
    private void foundFull() {
        if (opaqueSpaceWanted() == NOT_WANTED) {
            releaseSpaceWanted(FOUND_FULL);
        }
    }

    /**
     * Waits until the consumer has taken events from this stripe since the last {@link Offer#FULL}. It calls {@link
     * #signal} first.
     *
     * @param maxNanos the maximum wait, in nanoseconds
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

    /** Whether the stripe takes nothing more, because the task stops. */
    @OwnedBy(OwnedBy.READER)
    public boolean isClosed() {
        return ring.isClosed();
    }

    /** Requests a wake-up and looks again. Null means that the thread that makes room, or closes, wakes the reader. */
    @OwnedBy(OwnedBy.READER)
    Space askForSpace() {
        releaseSpaceWanted(WAITING);
        signal(); // its fence is also the one between the request and the reads below
        if (ring.isClosed()) {
            return Space.CLOSED;
        }
        // Before the head is compared. If the consumer takes the last visible events in between, there is room.
        boolean onlyStaged = ring.onlyStagedLeft();
        if (ring.headMoved()) {
            return Space.FREED;
        }
        return onlyStaged ? Space.STAGED_ONLY : null;
    }

    // The consumer's side

    /** Requests a wake-up. A full fence and another look at the tail must follow before the consumer parks. */
    @OwnedBy(OwnedBy.CONSUMER)
    void arm(long atTail, long atOfferedBytes, long untilNanos) {
        opaqueWakeAtBytes(atOfferedBytes);
        opaqueArmedUntil(untilNanos);
        // IDLE cannot be a threshold. One event less only causes an early look.
        releaseWakeAt(atTail == IDLE ? IDLE - 1 : atTail);
    }

    @OwnedBy(OwnedBy.CONSUMER)
    void disarm() {
        releaseWakeAt(IDLE);
    }

    /** The time of the leave-by mark if it holds and is before this time, otherwise this time. */
    @OwnedBy(OwnedBy.CONSUMER)
    long leaveByNanos(long otherwiseNanos) {
        if (ring.plainHead() - acquireLeaveByTail() >= 0) {
            return otherwiseNanos;
        }
        // At least as new as the tail, and a newer time is earlier while the mark holds.
        long markedNanos = opaqueLeaveByNanos();
        return markedNanos - otherwiseNanos < 0 ? markedNanos : otherwiseNanos;
    }

    /** The time of the announced pause if it holds and ends after this time, otherwise this time. */
    @OwnedBy(OwnedBy.CONSUMER)
    long pausedUntilNanos(long otherwiseNanos) {
        if (acquirePauseTail() != ring.acquireTail()) {
            return otherwiseNanos;
        }
        // At least as new as the tail. A newer time comes with newer events, and the consumer is to take these too.
        long pausedNanos = opaquePauseNanos();
        return pausedNanos - otherwiseNanos > 0 ? pausedNanos : otherwiseNanos;
    }

    /** Wakes the reader thread if it waits for room. The caller has released the head and executed a full fence. */
    @OwnedBy(OwnedBy.CONSUMER)
    void spaceFreed() {
        if (claimSpace()) {
            LockSupport.unpark(opaqueReader());
        }
    }

    /** Whether the reader thread waits for room and this call must wake it. */
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
     * Closes this stripe and wakes both sides. Published events can still be drained; staged events are not published.
     * Any thread, any number of times.
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

    /** The figures of this stripe. Any thread. */
    public StripeProgress progress() {
        return ring;
    }
}
