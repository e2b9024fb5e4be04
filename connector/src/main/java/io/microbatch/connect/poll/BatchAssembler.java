package io.microbatch.connect.poll;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.control.Controller;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.ReturnedBatch;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.stripe.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Waits until a batch is ready, {@code events >= N, or bytes >= B, or age of the oldest event >= T}, and drains it. A
 * batch to which no events are added any more is returned before T, and one with an event that its upstream wants to
 * leave earlier.
 *
 * <p>The linger (T) counts from the arrival of the oldest buffered event, over several calls. A call waits at most
 * {@value #MAX_WAIT_MS} ms and then returns null, because Connect can pause, stop or fail a task only when its poll
 * returns. It waits less where Connect's clock ends a transaction before. Task thread only.
 */
public final class BatchAssembler {

    static final long MAX_WAIT_MS = 250;
    private static final long MAX_WAIT_NANOS = MAX_WAIT_MS * 1_000_000;

    private final EventSource source;
    private final StripeSet<EventRecord> stripes;
    private final Controller controller;
    private final ArrivalGauge gauge;
    private final CommitClock commits;

    /** Null where the offsets of a batch always follow its records immediately. */
    private final OffsetDelay offsetDelay;

    private final LongSupplier nanoClock;
    private final LongSupplier epochMsClock;

    private Decision decision;
    private int limitEvents;

    /** The total of offered events at the last look. */
    private long seenOffered;

    /** The time at which that total was first seen. */
    private long grownNanos;

    private long committedNanos;
    private boolean committed;

    private final OffsetPause pause;

    /** Whether the last batch shows what the delay in force does. */
    private boolean shows;

    private long batchTotal;
    private List<SourceRecord> records;
    private ReturnedBatch taking;
    private EventRecord oldestTaken;
    private int events;
    private long sizeBytes;
    private long heldBytes;

    /**
     * Assembles the batches of a task.
     *
     * @param commits limits the wait while a transaction is open; notified of every return of a poll
     * @param offsetDelay for batches that are not full and are a transaction each; or null
     * @param nanoClock the task's monotonic clock, which the source uses too
     * @param epochMsClock the wall clock, in milliseconds
     */
    public BatchAssembler(
            EventSource source,
            Controller controller,
            ArrivalGauge gauge,
            CommitClock commits,
            OffsetDelay offsetDelay,
            LongSupplier nanoClock,
            LongSupplier epochMsClock) {
        this.source = source;
        this.stripes = source.stripes();
        this.controller = controller;
        this.gauge = gauge;
        this.commits = commits;
        this.offsetDelay = offsetDelay;
        this.pause = new OffsetPause(nanoClock, LockSupport::parkNanos);
        this.nanoClock = nanoClock;
        this.epochMsClock = epochMsClock;
        this.decision = controller.decide(nanoClock.getAsLong(), 0);
    }

    /**
     * A transaction has been committed. The next one keeps the distance of the decision's pacing.
     *
     * @param delayNanos the time from the return of its batch
     */
    public void transactionCommitted(long nowNanos, long delayNanos) {
        committedNanos = nowNanos;
        committed = true;
        if (offsetDelay == null) {
            return;
        }
        if (shows && pause.isOver()) {
            offsetDelay.committed(delayNanos);
        } else {
            offsetDelay.passed();
        }
    }

    /** For how long the last batch only waited before its offsets were sent, in nanoseconds. */
    public long pausedNanos() {
        return pause.waitedNanos();
    }

    /** The decision in force. */
    public Decision decision() {
        return decision;
    }

    /**
     * The next batch, or null if none is ready within {@value #MAX_WAIT_MS} ms or before Connect wants to commit.
     *
     * @param closing whether to take the buffered events without waiting, because a reader has ended
     * @throws InterruptedException if the task thread is interrupted
     */
    public Batch poll(boolean closing) throws InterruptedException {
        long nowNanos = nanoClock.getAsLong();
        long untilNanos = nowNanos + commits.maxWaitNanos(nowNanos, MAX_WAIT_NANOS);
        while (true) {
            long offered = stripes.offeredTotal();
            gauge.update(nowNanos, offered);
            decision = controller.decide(nowNanos, gauge);
            long noEventBeforeNanos = stripes.pausedUntilNanos(nowNanos);
            if (offered != seenOffered) {
                seenOffered = offered;
                // That no event arrives during a pause does not show that none follows.
                grownNanos = noEventBeforeNanos;
            }
            if (decision.stripeLimitEvents() != limitEvents) {
                limitEvents = decision.stripeLimitEvents();
                stripes.limit(limitEvents);
            }
            EventRecord oldest = stripes.oldest(EventRecord::arrivalNanos);
            if (closing) {
                return oldest == null ? none(nowNanos) : drain(FlushReason.CLOSING);
            }
            long waitedNanos =
                    oldest == null ? untilNanos : waitedNanos(oldest.arrivalNanos(), nowNanos, noEventBeforeNanos);
            long leaveByNanos = stripes.leaveByNanos(waitedNanos);
            long readyNanos = oldest == null ? untilNanos : pacedNanos(leaveByNanos);
            Wake wake = stripes.await(
                    oldest == null ? 1 : decision.setting().maxEvents(),
                    decision.maxBytes(),
                    earlier(readyNanos, untilNanos),
                    leaveByNanos);
            nowNanos = nanoClock.getAsLong();
            FlushReason reason = oldest == null ? null : reason(wake, readyNanos, nowNanos);
            if (reason == FlushReason.AGE && leaveByNanos != waitedNanos) {
                reason = FlushReason.DEADLINE;
            } else if (reason == FlushReason.AGE
                    && nowNanos - oldest.arrivalNanos() < decision.setting().lingerNanos()) {
                reason = stripes.offeredTotal() == seenOffered ? FlushReason.QUIET : null;
            }
            if (reason != null) {
                return drain(reason);
            }
            if (wake == Wake.CLOSED || wake == Wake.WOKEN || nowNanos - untilNanos >= 0) {
                return none(nowNanos);
            }
        }
    }

    private Batch none(long nowNanos) {
        commits.polled(nowNanos, false);
        return null;
    }

    /**
     * When the events have waited for as long as the decision allows, by the linger or by quiet. That is now if no
     * event follows before the linger ends.
     */
    private long waitedNanos(long oldestNanos, long nowNanos, long noEventBeforeNanos) {
        long byLinger = oldestNanos + decision.setting().lingerNanos();
        boolean gathersNoMore = noEventBeforeNanos - byLinger > 0;
        return earlier(byLinger, gathersNoMore ? nowNanos : grownNanos + decision.quietNanos());
    }

    /** This time, or the later one at which the distance from the last transaction is kept. */
    private long pacedNanos(long nanos) {
        if (!committed || decision.pacingNanos() == 0) {
            return nanos;
        }
        long byPace = committedNanos + decision.pacingNanos();
        return nanos - byPace >= 0 ? nanos : byPace;
    }

    private static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }

    private static FlushReason reason(Wake wake, long readyNanos, long nowNanos) {
        return switch (wake) {
            case COUNT -> FlushReason.EVENTS;
            case BYTES -> FlushReason.BYTES;
            case FULL -> FlushReason.BUFFER_FULL;
            case CLOSED -> FlushReason.CLOSING;
            case WOKEN, MARKED, PAUSED, DEADLINE -> nowNanos - readyNanos >= 0 ? FlushReason.AGE : null;
        };
    }

    private Batch drain(FlushReason reason) {
        int expected = (int) Math.min(source.sizeRecords(), decision.setting().maxEvents());
        records = new ArrayList<>(expected + 1);
        events = 0;
        sizeBytes = 0;
        heldBytes = 0;
        taking = new ReturnedBatch(
                batchTotal++, decision.level(), decision.setting().lingerNanos());
        source.drain(this::take, decision.setting().maxEvents(), decision.maxBytes());
        long returnedNanos = nanoClock.getAsLong();
        // A bulk record is one record of its batch.
        taking.complete(records.size(), oldestTaken.batchPosition(), returnedNanos, epochMsClock.getAsLong());
        commits.polled(returnedNanos, true);
        controller.returned(events, sizeBytes);
        List<SourceRecord> ending = ending(reason);
        Batch batch = new Batch(
                ending,
                events,
                sizeBytes,
                heldBytes,
                reason,
                decision,
                returnedNanos,
                offsetDelay == null ? 0 : offsetDelay.keptNanos(),
                triesOffsetDelay());
        // The worker keeps the batch until it is acknowledged. This object must not keep it longer.
        records = null;
        taking = null;
        oldestTaken = null;
        return batch;
    }

    /**
     * The records. The offsets of a transaction come later, unless other events wait behind it. What a client waits for
     * takes no part in trials.
     */
    private List<SourceRecord> ending(FlushReason reason) {
        boolean delays = committed && offsetDelay != null && offsetDelay.suits(events);
        shows = delays && (reason == FlushReason.AGE || reason == FlushReason.QUIET);
        boolean waits = shows || (delays && reason == FlushReason.DEADLINE);
        pause.next(shows ? offsetDelay.nanos() : waits ? offsetDelay.keptNanos() : 0);
        return waits ? new DelayedEnd(records, pause) : records;
    }

    /** A batch that never has a delay is the same before and in a trial. */
    private boolean triesOffsetDelay() {
        return shows && (!offsetDelay.isDecided() || offsetDelay.isTrying());
    }

    private void take(EventRecord event, int eventBytes) {
        event.joins(taking, records.size());
        records.add(event);
        events += event.events();
        sizeBytes += eventBytes;
        heldBytes += event.heldBytes();
        // Not the oldest buffered event, because a small batch may leave that one in its stripe.
        if (oldestTaken == null || event.arrivalNanos() - oldestTaken.arrivalNanos() < 0) {
            oldestTaken = event;
        }
    }
}
