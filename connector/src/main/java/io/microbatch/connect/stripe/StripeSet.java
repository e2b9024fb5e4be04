package io.microbatch.connect.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The consumer's side of all stripes of a task. Only the task thread calls {@link #drain}, {@link #await}, {@link
 * #oldest}, {@link #pausedUntilNanos} and {@link #limit}; any thread may call the other methods.
 *
 * @param <E> the type of the events
 */
public final class StripeSet<E> {
    private static final VarHandle NUDGED = RingAccess.field(MethodHandles.lookup(), "nudged", int.class);
    private static final VarHandle CONSUMER = RingAccess.field(MethodHandles.lookup(), "consumer", Thread.class);

    private final StripeWriter<E>[] stripes;
    private final LongSupplier nanoClock;

    /** The stripe with which the next drain starts, so that no stripe is always the first. */
    @OwnedBy(OwnedBy.CONSUMER)
    private int startAt;

    /** The heads when their reader threads were last notified. */
    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] notifiedHeads;

    /*
     * The tails of the last look. Thresholds use the same look as the missing counts. With later tails the thresholds
     * would be too high by the events in between, and the consumer would miss its wake-up.
     */
    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] seenTails;

    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] seenOfferedBytes;

    /** The thresholds in force, for the tails and for the offered bytes. */
    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] armedTails;

    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] armedOfferedBytes;

    @OwnedBy(OwnedBy.CONSUMER)
    private long seenCount;

    @OwnedBy(OwnedBy.CONSUMER)
    private long seenBytes;

    @OwnedBy(OwnedBy.CONSUMER)
    private final CommonPause pause;

    /** 1 after a call of {@link #wake}, until the consumer has seen it. */
    @SuppressWarnings("UnusedVariable") // accessed through its VarHandle
    private int nudged;

    @OwnedBy(OwnedBy.CONSUMER)
    private Thread consumer;

    /**
     * Creates open, empty stripes.
     *
     * @param stripeCount the number of stripes, at least 1: one per reader thread
     * @param capacityEvents the maximum number of events in each stripe
     * @param capacityBytes the maximum bytes in each stripe, except for a single oversized event
     * @param nanoClock the clock of the deadlines, in nanoseconds; {@code System::nanoTime} except in tests
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type, never exposed
    public StripeSet(int stripeCount, int capacityEvents, long capacityBytes, LongSupplier nanoClock) {
        if (stripeCount < 1) {
            throw new IllegalArgumentException("stripeCount must be at least 1 and is " + stripeCount);
        }
        this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock");
        this.stripes = new StripeWriter[stripeCount];
        for (int i = 0; i < stripeCount; i++) {
            stripes[i] = new StripeWriter<>(new SpscRing<>(capacityEvents, capacityBytes), this::wake);
        }
        this.pause = new CommonPause(stripes);
        this.notifiedHeads = new long[stripeCount];
        this.seenTails = new long[stripeCount];
        this.seenOfferedBytes = new long[stripeCount];
        this.armedTails = new long[stripeCount];
        this.armedOfferedBytes = new long[stripeCount];
    }

    /** The reader thread's side of the stripe with this number, from 0. */
    public StripeWriter<E> writer(int stripe) {
        return stripes[stripe];
    }

    public int stripeCount() {
        return stripes.length;
    }

    /** The figures of the stripe with this number, from 0. */
    public StripeProgress progress(int stripe) {
        return stripes[stripe].ring;
    }

    /** The total time, in nanoseconds, for which the reader thread of this stripe has waited for room. Any thread. */
    public long blockedNanosTotal(int stripe) {
        return stripes[stripe].blockedNanosTotal();
    }

    public long sizeEvents() {
        long events = 0;
        for (StripeWriter<E> stripe : stripes) {
            events += stripe.ring.sizeEvents();
        }
        return events;
    }

    public long sizeBytes() {
        long bytes = 0;
        for (StripeWriter<E> stripe : stripes) {
            bytes += stripe.ring.sizeBytes();
        }
        return bytes;
    }

    /** The total of events published in all stripes. Any thread. */
    public long offeredTotal() {
        long offered = 0;
        for (StripeWriter<E> stripe : stripes) {
            offered += stripe.ring.offeredTotal();
        }
        return offered;
    }

    /**
     * Returns the oldest of the stripes' first events without taking it, or null if all stripes are empty.
     *
     * @param arrivalNanos returns the time of arrival, in nanoseconds of one clock
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public E oldest(ToLongFunction<? super E> arrivalNanos) {
        E oldest = null;
        long oldestNanos = 0;
        for (StripeWriter<E> stripe : stripes) {
            E first = stripe.ring.peek();
            if (first != null) {
                long nanos = arrivalNanos.applyAsLong(first);
                if (oldest == null || nanos - oldestNanos < 0) {
                    oldest = first;
                    oldestNanos = nanos;
                }
            }
        }
        return oldest;
    }

    /**
     * Returns the earliest leave-by mark that holds, as set by {@link StripeWriter#leaveBy}, if it is before this time.
     * Otherwise returns this time.
     *
     * @param otherwiseNanos a time on the clock of this set
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public long leaveByNanos(long otherwiseNanos) {
        long earliest = otherwiseNanos;
        for (StripeWriter<E> stripe : stripes) {
            earliest = stripe.leaveByNanos(earliest);
        }
        return earliest;
    }

    /**
     * Returns the time before which no event is expected in any stripe, as announced with {@link
     * StripeWriter#pausesUntil}, if it is after this time. Otherwise returns this time.
     *
     * @param otherwiseNanos a time on the clock of this set
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public long pausedUntilNanos(long otherwiseNanos) {
        return pause.noteUntilNanos(otherwiseNanos);
    }

    /**
     * Limits the number of events in each stripe, within its capacity. The limit takes effect when the reader thread
     * next looks for room. Events beyond the limit stay. A run that has begun may exceed the limit, because it must not
     * be divided.
     *
     * @param events the limit, at least 1
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public void limit(int events) {
        for (StripeWriter<E> stripe : stripes) {
            stripe.ring.limit(events);
        }
    }

    /**
     * Takes events from all stripes and wakes reader threads that wait for room. A first round takes an equal share of
     * both limits from each stripe, and a second round uses what is left. Each call starts with another stripe. The
     * order within a stripe is kept. It takes at least one event, and exceeds both limits while the rule forbids a
     * separation.
     *
     * @param maxEvents the maximum number of events; none if it is not positive
     * @param maxBytes the maximum bytes
     * @param rule which neighbours of a stripe must be drained together
     * @return the number of taken events
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public int drain(DrainSink<? super E> sink, int maxEvents, long maxBytes, Inseparable<? super E> rule) {
        int first = startAt;
        startAt = first + 1 == stripes.length ? 0 : first + 1;
        int shareEvents = share(maxEvents);
        long shareBytes = maxBytes / stripes.length;
        int taken = 0;
        long bytesLeft = maxBytes;
        try {
            for (int visit = 0; visit < 2 * stripes.length && taken < maxEvents; visit++) {
                SpscRing<E> ring = stripes[(first + visit) % stripes.length].ring;
                boolean sharing = visit < stripes.length;
                int wantedEvents = sharing ? Math.min(shareEvents, maxEvents - taken) : maxEvents - taken;
                long wantedBytes = sharing ? Math.min(shareBytes, bytesLeft) : bytesLeft;
                // A ring returns its first event at any size, so after the first taken event check that it fits. One
                // that comes to an empty ring after this check waits.
                int nextBytes = ring.nextSizeBytes();
                if (taken == 0 || (nextBytes >= 0 && nextBytes <= wantedBytes)) {
                    long drainedBefore = ring.plainDrainedBytes();
                    taken += ring.drain(sink, wantedEvents, wantedBytes, rule);
                    bytesLeft -= ring.plainDrainedBytes() - drainedBefore;
                }
            }
        } finally {
            notifyReaders();
        }
        return taken;
    }

    private int share(int maxEvents) {
        return maxEvents <= 0 ? 0 : (maxEvents - 1) / stripes.length + 1;
    }

    private void notifyReaders() {
        VarHandle.fullFence(); // between the release of the heads and the look for waiting readers; see StripeWriter
        for (int i = 0; i < stripes.length; i++) {
            long head = stripes[i].ring.plainHead();
            if (head != notifiedHeads[i]) {
                notifiedHeads[i] = head;
                stripes[i].spaceFreed();
            }
        }
    }

    /**
     * Waits for a reason to look at the stripes. It misses no reason for which a reader thread called {@link
     * StripeWriter#signal}. It returns immediately if a wanted number is not positive.
     *
     * @param countWanted the number of buffered events to wait for
     * @param bytesWanted the number of buffered bytes to wait for
     * @param deadlineNanos the end of the wait, on the clock of this set
     * @param leaveByNanos the leave-by mark that the caller knows, or the time before which one matters: an earlier
     *     mark ends the wait, and so does a pause beyond it that {@link #pausedUntilNanos} has not returned
     * @throws InterruptedException if the consumer is interrupted before or while it waits
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public Wake await(long countWanted, long bytesWanted, long deadlineNanos, long leaveByNanos)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Wake reason = look(countWanted, bytesWanted, deadlineNanos, leaveByNanos);
        if (reason != null) {
            return reason;
        }
        enlist();
        try {
            for (; ; ) {
                reason = armAndLook(countWanted, bytesWanted, deadlineNanos, leaveByNanos);
                if (reason == null) {
                    LockSupport.parkNanos(this, deadlineNanos - nanoClock.getAsLong());
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    reason = look(countWanted, bytesWanted, deadlineNanos, leaveByNanos);
                }
                if (reason != null) {
                    return reason;
                }
            }
        } finally {
            for (StripeWriter<E> stripe : stripes) {
                stripe.disarm();
            }
        }
    }

    /**
     * Arms from the last look and looks again. Null means that the thread that publishes the rest wakes the consumer.
     */
    Wake armAndLook(long countWanted, long bytesWanted, long deadlineNanos, long leaveByNanos) {
        Wake reason;
        do {
            arm(countWanted - seenCount, bytesWanted - seenBytes, leaveByNanos);
            VarHandle.fullFence(); // between arming and the second look; see StripeWriter
            reason = look(countWanted, bytesWanted, deadlineNanos, leaveByNanos);
        } while (reason == null && reachedAThreshold());
        return reason;
    }

    /** Returns the reason to end the wait, or null. */
    Wake look(long countWanted, long bytesWanted, long deadlineNanos, long leaveByNanos) {
        seenCount = 0;
        seenBytes = 0;
        boolean full = false;
        boolean closed = true;
        for (int i = 0; i < stripes.length; i++) {
            SpscRing<E> ring = stripes[i].ring;
            closed &= ring.isClosed(); // before the tail, so that no event follows a closed one
            seenOfferedBytes[i] = ring.acquireOfferedBytes(); // before the tail, so that these bytes can be drained
            seenTails[i] = ring.acquireTail();
            long events = seenTails[i] - ring.plainHead();
            seenCount += events;
            seenBytes += Math.max(0, seenOfferedBytes[i] - ring.plainDrainedBytes());
            full |= events > 0 && stripes[i].acquireSpaceWanted() != StripeWake.Fields.NOT_WANTED;
        }
        if (seenCount >= countWanted) {
            return Wake.COUNT;
        }
        if (seenBytes >= bytesWanted) {
            return Wake.BYTES;
        }
        if (full) {
            return Wake.FULL;
        }
        if (closed) {
            return Wake.CLOSED;
        }
        if ((int) NUDGED.getAcquire(this) != 0 && (int) NUDGED.getAndSet(this, 0) != 0) {
            return Wake.WOKEN;
        }
        if (leaveByNanos(leaveByNanos) != leaveByNanos) {
            return Wake.MARKED;
        }
        long nowNanos = nanoClock.getAsLong();
        if (seenCount > 0 && pause.isUnknownBeyond(leaveByNanos - nowNanos > 0 ? leaveByNanos : nowNanos)) {
            return Wake.PAUSED;
        }
        return deadlineNanos - nowNanos <= 0 ? Wake.DEADLINE : null;
    }

    /**
     * Divides the missing count among the stripes. When all missing events are there, at least one stripe has reached
     * its share, so the consumer is woken. One share alone causes an early wake-up, after which less is missing.
     */
    private void arm(long missingCount, long missingBytes, long leaveByNanos) {
        long shareCount = (missingCount - 1) / stripes.length + 1;
        long shareBytes = (missingBytes - 1) / stripes.length + 1;
        for (int i = 0; i < stripes.length; i++) {
            armedTails[i] = seenTails[i] + shareCount;
            armedOfferedBytes[i] = seenOfferedBytes[i] + shareBytes;
            stripes[i].arm(armedTails[i], armedOfferedBytes[i], leaveByNanos);
        }
    }

    /**
     * Whether a stripe has reached its threshold although not enough events are there. Its reader thread may have
     * called signal before the arming and will not call it again. Then no thread would wake the consumer for the
     * smaller parts of the other stripes, so the thresholds must be computed again.
     */
    private boolean reachedAThreshold() {
        for (int i = 0; i < stripes.length; i++) {
            if (seenTails[i] - armedTails[i] >= 0 || seenOfferedBytes[i] - armedOfferedBytes[i] >= 0) {
                return true;
            }
        }
        return false;
    }

    private void enlist() {
        Thread current = Thread.currentThread();
        if (consumer != current) {
            CONSUMER.setVolatile(this, current);
            for (StripeWriter<E> stripe : stripes) {
                stripe.opaqueConsumer(current);
            }
        }
    }

    /** Makes the running {@link #await}, otherwise the next one, return {@link Wake#WOKEN}. Any thread. */
    public void wake() {
        NUDGED.setVolatile(this, 1);
        VarHandle.fullFence();
        LockSupport.unpark((Thread) CONSUMER.getVolatile(this));
    }

    /** Closes every stripe and wakes all waiting threads. Any thread, any number of times. */
    public void close() {
        for (StripeWriter<E> stripe : stripes) {
            stripe.closeAndWakeReader();
        }
        wake();
    }
}
