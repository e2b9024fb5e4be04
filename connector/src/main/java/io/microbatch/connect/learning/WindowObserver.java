package io.microbatch.connect.learning;

import io.microbatch.connect.ack.AckLatency;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.pressure.BatchSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures windows, each with one target. A change of level or target ends the window early, because an observation of
 * two settings teaches nothing about either. The next window then begins when the batches under the old target have
 * passed. While the level is explored, a window may be short. Task thread, except {@link #take} and
 * {@link #serviceRatePerSec}.
 *
 * <p>The service rate is events per busy second. The task is busy from poll's return with a batch to the next poll: the
 * time that the worker spends on converting, sending and committing, without a pause before the offsets. With a
 * transaction for each poll it ends with the commit. The service rate means the same at every load at which batches
 * wait for T. Where a commit takes longer than T and events arrive during each commit, it follows the arrival rate.
 */
public final class WindowObserver {
    private static final Logger log = LoggerFactory.getLogger(WindowObserver.class);

    private static final long MIN_WINDOW_NANOS = 1_000_000_000L;
    private static final long TICK_NANOS = 1_000_000_000L;
    private static final long MIN_SETTLING_NANOS = 250_000_000L;
    private static final int MAX_FINISHED = 1_000;

    private final WindowLength length;
    private final LongSupplier epochMs;
    private final ConcurrentLinkedQueue<Supplier<Observation>> finished = new ConcurrentLinkedQueue<>();
    private final Histogram latencies = AckLatency.total();

    private long begunNanos;
    private long tickedNanos;
    private long settledNanos;
    private boolean settling;
    private Decision decision;
    private long events;
    private long batches;
    private long transactions;
    private long busyNanos;
    private double lingerNanosSum;
    private long windowOffsetDelayNanos;

    /** Whether the delay of the offsets has changed in this window, or another one was tried. */
    private boolean mixed;

    private volatile double serviceRatePerSec;

    /** Only used by the thread that takes. */
    private boolean failureLogged;

    /**
     * Begins a window.
     *
     * @param windowMs the length of a whole window, in milliseconds
     * @param nowNanos the time now on the task's clock
     * @param epochMs the wall clock, in milliseconds, for the stored rows
     */
    public WindowObserver(long windowMs, long nowNanos, LongSupplier epochMs) {
        this.length = new WindowLength(windowMs);
        this.begunNanos = nowNanos;
        this.tickedNanos = nowNanos;
        this.epochMs = epochMs;
    }

    /**
     * A batch of this size was returned to Connect under this decision. A window in which the delay of the offsets
     * changes is discarded, and one in which another delay is tried: it would compare delays and not settings.
     *
     * @param offsetDelayNanos the delay of the offsets that is kept
     * @param triesOffsetDelay whether another one is tried, or none is decided yet
     */
    public void returned(int batchEvents, Decision inForce, long offsetDelayNanos, boolean triesOffsetDelay) {
        mixed |= triesOffsetDelay || (batches > 0 && offsetDelayNanos != windowOffsetDelayNanos);
        windowOffsetDelayNanos = offsetDelayNanos;
        events += batchEvents;
        batches++;
        lingerNanosSum += inForce.setting().lingerNanos();
    }

    /** A transaction was committed. */
    public void committed() {
        transactions++;
    }

    /** The task thread was busy with a batch for this time. */
    public void busy(long nanos) {
        busyNanos += nanos;
    }

    /** Whether {@link #tick} is due: every second, when the target changes, and when it has settled. */
    public boolean isDue(long nowNanos, Decision inForce) {
        return isNew(inForce) || nowNanos - tickedNanos >= TICK_NANOS || (settling && nowNanos - settledNanos >= 0);
    }

    /** Takes the acknowledgements since the last call, and ends the window if it is over. */
    public void tick(long nowNanos, Decision inForce, Histogram acknowledged) {
        tickedNanos = nowNanos;
        if (isNew(inForce)) {
            latencies.add(acknowledged);
            end(nowNanos);
            settling = decision != null;
            settledNanos = nowNanos + settlingNanos();
        } else if (settling) {
            if (nowNanos - settledNanos >= 0) {
                settling = false;
                begin(nowNanos);
            }
        } else {
            latencies.add(acknowledged);
            long lengthMs = (nowNanos - begunNanos) / 1_000_000;
            if (length.isOver(lengthMs, batches, inForce.target().exploring())) {
                end(nowNanos);
            }
        }
        decision = inForce;
    }

    private boolean isNew(Decision inForce) {
        return decision == null
                || decision.level() != inForce.level()
                || !decision.target().hasEffectOf(inForce.target());
    }

    /** One batch with the old linger may just have left, and another one may be on its way. */
    private long settlingNanos() {
        long old = decision == null ? 0 : 2 * decision.setting().lingerNanos();
        return Math.min(length.wholeMs() * 1_000_000 / 4, old + MIN_SETTLING_NANOS);
    }

    private void end(long nowNanos) {
        long lengthNanos = nowNanos - begunNanos;
        if (decision != null && !settling && lengthNanos >= MIN_WINDOW_NANOS && batches > 0) {
            // Also if nobody takes the windows, because nothing is learned: it is a metric.
            serviceRatePerSec = events * 1e9 / Math.max(1, busyNanos);
            if (!mixed && finished.size() < MAX_FINISHED) {
                finished.add(observation(lengthNanos, decision));
            }
        }
        begin(nowNanos);
    }

    private void begin(long nowNanos) {
        begunNanos = nowNanos;
        events = 0;
        batches = 0;
        transactions = 0;
        busyNanos = 0;
        lingerNanosSum = 0;
        mixed = false;
        latencies.reset();
    }

    /** The thread that takes it builds and checks it: a number out of range must not end a poll. */
    private Supplier<Observation> observation(long lengthNanos, Decision observed) {
        long endEpochMs = epochMs.getAsLong();
        BatchSetting applied = new BatchSetting(observed.aimedEvents(), Math.round(lingerNanosSum / batches));
        long seenEvents = events;
        long seenBatches = batches;
        long seenTransactions = transactions;
        long seenBusyNanos = busyNanos;
        double rate = serviceRatePerSec;
        long p50Nanos = latencies.getValueAtPercentile(50) * 1_000;
        long p99Nanos = latencies.getValueAtPercentile(99) * 1_000;
        return () -> new Observation(
                endEpochMs,
                lengthNanos / 1_000_000,
                observed.level(),
                applied,
                seenEvents,
                seenBatches,
                seenTransactions,
                seenBusyNanos,
                rate,
                p50Nanos,
                p99Nanos,
                p99Nanos > 0 && p99Nanos <= observed.budgetMs() * 1_000_000L,
                observed.target().trial());
    }

    /** Removes and returns the finished windows, oldest first, without those with a number out of range. One thread. */
    public List<Observation> take() {
        List<Observation> taken = new ArrayList<>();
        for (Supplier<Observation> next = finished.poll(); next != null; next = finished.poll()) {
            try {
                taken.add(next.get());
            } catch (IllegalArgumentException e) {
                // One window with a number out of range does not invalidate the others.
                if (!failureLogged) {
                    failureLogged = true;
                    log.warn("A window could not be observed; later failures of this kind are not logged", e);
                }
            }
        }
        return taken;
    }

    /** Events per busy second in the last finished window, 0 before the first. Any thread. */
    public double serviceRatePerSec() {
        return serviceRatePerSec;
    }
}
