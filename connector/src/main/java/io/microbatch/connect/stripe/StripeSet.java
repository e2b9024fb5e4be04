package io.microbatch.connect.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The consumer's side of all stripes of a task: how much they hold, waiting for it, and taking from each in turn.
 * {@link #drain}, {@link #await}, {@link #oldest} and {@link #limit} are for one thread, the task thread; the other
 * methods are for any.
 *
 * @param <E> the type of the events
 */
public final class StripeSet<E> {
    private static final VarHandle NUDGED = RingAccess.field(MethodHandles.lookup(), "nudged", int.class);
    private static final VarHandle CONSUMER = RingAccess.field(MethodHandles.lookup(), "consumer", Thread.class);

    private final StripeWriter<E>[] stripes;
    private final LongSupplier nanoClock;

    /** Where the next drain begins, so that no stripe is always the first. */
    @OwnedBy(OwnedBy.CONSUMER)
    private int startAt;

    /** The heads when their reader threads were last notified. */
    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] notifiedHeads;

    /*
     * What the last look saw. Thresholds are computed from the same look as what is missing: taken from a later one
     * they would lie too far ahead, by the events in between, and the consumer would miss its wake-up.
     */
    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] seenTails;

    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] seenOfferedBytes;

    /** The thresholds last armed, for the tails and for the offered bytes. */
    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] armedTails;

    @OwnedBy(OwnedBy.CONSUMER)
    private final long[] armedOfferedBytes;

    @OwnedBy(OwnedBy.CONSUMER)
    private long seenCount;

    @OwnedBy(OwnedBy.CONSUMER)
    private long seenBytes;

    /** 1 after somebody called {@link #wake}, until the consumer has seen it. */
    @SuppressWarnings("UnusedVariable") // accessed through its VarHandle
    private int nudged;

    @OwnedBy(OwnedBy.CONSUMER)
    private Thread consumer;

    /**
     * Open, empty stripes.
     *
     * @param stripeCount how many, at least 1: one for each reader thread
     * @param capacityEvents the most events each of them holds
     * @param capacityBytes the most bytes each of them holds, but for an oversized event alone
     * @param nanoClock the clock of the deadlines, in nanoseconds; {@code System::nanoTime} outside of tests
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type, never handed out
    public StripeSet(int stripeCount, int capacityEvents, long capacityBytes, LongSupplier nanoClock) {
        if (stripeCount < 1) {
            throw new IllegalArgumentException("stripeCount must be at least 1 and is " + stripeCount);
        }
        this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock");
        this.stripes = new StripeWriter[stripeCount];
        for (int i = 0; i < stripeCount; i++) {
            stripes[i] = new StripeWriter<>(new SpscRing<>(capacityEvents, capacityBytes), this::wake);
        }
        this.notifiedHeads = new long[stripeCount];
        this.seenTails = new long[stripeCount];
        this.seenOfferedBytes = new long[stripeCount];
        this.armedTails = new long[stripeCount];
        this.armedOfferedBytes = new long[stripeCount];
    }

    /** The reader thread's side of a stripe, from 0; always the same object. */
    public StripeWriter<E> writer(int stripe) {
        return stripes[stripe];
    }

    /** How many stripes there are. */
    public int stripeCount() {
        return stripes.length;
    }

    /** How a stripe is doing, from 0. */
    public StripeProgress progress(int stripe) {
        return stripes[stripe].ring;
    }

    /** How long the reader thread of a stripe, from 0, has waited for room, in nanoseconds; any thread. */
    public long blockedNanosTotal(int stripe) {
        return stripes[stripe].blockedNanosTotal();
    }

    /** Events buffered in all stripes. */
    public long sizeEvents() {
        long events = 0;
        for (StripeWriter<E> stripe : stripes) {
            events += stripe.ring.sizeEvents();
        }
        return events;
    }

    /** Bytes buffered in all stripes. */
    public long sizeBytes() {
        long bytes = 0;
        for (StripeWriter<E> stripe : stripes) {
            bytes += stripe.ring.sizeBytes();
        }
        return bytes;
    }

    /** Events published so far in all stripes; any thread. */
    public long offeredTotal() {
        long offered = 0;
        for (StripeWriter<E> stripe : stripes) {
            offered += stripe.ring.offeredTotal();
        }
        return offered;
    }

    /**
     * The oldest event that is buffered, which stays where it is, or null if there is none. Within a stripe the first
     * one counts as the oldest.
     *
     * @param arrivalNanos when an event arrived, in nanoseconds of one clock
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
     * Limits every stripe to so many events, within its capacity, from when its reader thread next looks for room. What
     * is beyond the limit stays. A run that is staged already is let in as far as the capacity goes, since it must not
     * be torn.
     *
     * @param events at least 1
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public void limit(int events) {
        for (StripeWriter<E> stripe : stripes) {
            stripe.ring.limit(events);
        }
    }

    /**
     * Takes events from all stripes. Every stripe first gives up to an equal share of both limits, beginning with
     * another one at each call, and then what is left of the limits goes round once more. The order inside a stripe is
     * kept. One event at least is taken, if there is one; both limits are exceeded as long as the next event of the
     * stripe at hand must not be separated from the last one. Reader threads that wait for room are woken.
     *
     * @param maxEvents how many events to take; none if it is not positive
     * @param maxBytes how many bytes to take
     * @param rule which neighbours of a stripe have to stay together
     * @return how many events were taken
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
                // A ring always gives its first event, however large; once there is something, it has to fit.
                if (taken == 0 || ring.nextSizeBytes() <= wantedBytes) {
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
        VarHandle.fullFence(); // between the release of the heads and the look at who waits; see StripeWriter
        for (int i = 0; i < stripes.length; i++) {
            long head = stripes[i].ring.plainHead();
            if (head != notifiedHeads[i]) {
                notifiedHeads[i] = head;
                stripes[i].spaceFreed();
            }
        }
    }

    /**
     * Waits until there is a reason to look at the stripes. Does not return without one, and does not miss one for
     * which a reader thread called {@link StripeWriter#signal}. A wanted count or size that is not positive is there
     * at once.
     *
     * @param countWanted how many buffered events are enough
     * @param bytesWanted how many buffered bytes are enough
     * @param deadlineNanos until when to wait, on the clock of this set
     * @throws InterruptedException if the consumer is interrupted before or while it waits
     */
    @OwnedBy(OwnedBy.CONSUMER)
    public Wake await(long countWanted, long bytesWanted, long deadlineNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Wake reason = look(countWanted, bytesWanted, deadlineNanos);
        if (reason != null) {
            return reason;
        }
        enlist();
        try {
            for (; ; ) {
                reason = armAndLook(countWanted, bytesWanted, deadlineNanos);
                if (reason == null) {
                    LockSupport.parkNanos(this, deadlineNanos - nanoClock.getAsLong());
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    reason = look(countWanted, bytesWanted, deadlineNanos);
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

    /** Arms from the last look and looks again; null if the thread that brings what is missing wakes the consumer. */
    Wake armAndLook(long countWanted, long bytesWanted, long deadlineNanos) {
        Wake reason;
        do {
            arm(countWanted - seenCount, bytesWanted - seenBytes);
            VarHandle.fullFence(); // between arming and the second look; see StripeWriter
            reason = look(countWanted, bytesWanted, deadlineNanos);
        } while (reason == null && reachedAThreshold());
        return reason;
    }

    /** The reason to go on, or null. */
    Wake look(long countWanted, long bytesWanted, long deadlineNanos) {
        seenCount = 0;
        seenBytes = 0;
        boolean full = false;
        boolean closed = true;
        for (int i = 0; i < stripes.length; i++) {
            SpscRing<E> ring = stripes[i].ring;
            closed &= ring.isClosed(); // before the tail, so that "closed" means that nothing comes behind it
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
        return deadlineNanos - nanoClock.getAsLong() <= 0 ? Wake.DEADLINE : null;
    }

    /**
     * Shares what is missing among the stripes: when all of it is there, at least one stripe holds its share, so the
     * last one needed cannot come in unnoticed. A share alone is an early wake-up, after which less is missing.
     */
    private void arm(long missingCount, long missingBytes) {
        long shareCount = (missingCount - 1) / stripes.length + 1;
        long shareBytes = (missingBytes - 1) / stripes.length + 1;
        for (int i = 0; i < stripes.length; i++) {
            armedTails[i] = seenTails[i] + shareCount;
            armedOfferedBytes[i] = seenOfferedBytes[i] + shareBytes;
            stripes[i].arm(armedTails[i], armedOfferedBytes[i]);
        }
    }

    /**
     * Whether a stripe is past its threshold although not enough is there. Its reader thread may have signalled before
     * the arming and then owes nothing, so that nobody would wake the consumer for the other stripes' smaller parts:
     * the thresholds have to be set anew, with less missing.
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

    /** Makes the running {@link #await}, or else the next one, return {@link Wake#WOKEN}; any thread. */
    public void wake() {
        NUDGED.setVolatile(this, 1);
        VarHandle.fullFence();
        LockSupport.unpark((Thread) CONSUMER.getVolatile(this));
    }

    /** Closes every stripe and wakes all who wait; any thread, any number of times. */
    public void close() {
        for (StripeWriter<E> stripe : stripes) {
            stripe.closeAndWakeReader();
        }
        wake();
    }
}
