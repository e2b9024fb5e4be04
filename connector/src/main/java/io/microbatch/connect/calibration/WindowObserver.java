package io.microbatch.connect.calibration;

import io.microbatch.connect.ack.AckLatency;
import io.microbatch.connect.control.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up what a window showed, one target at a time: a change of level or target ends the window early, since an
 * observation of two settings teaches nothing about either. After such a change the next window begins when what was
 * still on its way under the old target has passed. Task thread, but for {@link #take} and {@link #capacityPerSec}.
 *
 * <p>Capacity is events per busy second, busy being the time from poll's return with a batch to the next poll: what the
 * worker spends on converting, sending and committing. It means the same at every load, where the achieved rate at low
 * load only repeats the offered one.
 */
public final class WindowObserver {
    private static final Logger LOG = LoggerFactory.getLogger(WindowObserver.class);

    private static final long LEAST_WINDOW_NANOS = 1_000_000_000L;
    private static final long TICK_NANOS = 1_000_000_000L;
    private static final long LEAST_SETTLING_NANOS = 250_000_000L;
    private static final int MOST_WAITING = 1_000;

    private final long windowNanos;
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
    private long busyNanos;
    private double lingerNanosSum;
    private volatile double capacityPerSec;

    /** Of the thread that takes. */
    private boolean failureLogged;

    /**
     * Begins a window.
     *
     * @param windowMs its length, in milliseconds
     * @param nowNanos the time now on the task's clock
     * @param epochMs the wall clock, in milliseconds, for the rows that are stored
     */
    public WindowObserver(long windowMs, long nowNanos, LongSupplier epochMs) {
        this.windowNanos = windowMs * 1_000_000;
        this.begunNanos = nowNanos;
        this.tickedNanos = nowNanos;
        this.epochMs = epochMs;
    }

    /** A batch of so many events was returned to Connect under this decision. */
    public void returned(int batchEvents, Decision inForce) {
        events += batchEvents;
        batches++;
        lingerNanosSum += inForce.lingerNanos();
    }

    /** The task thread was busy with a batch for so long. */
    public void busy(long nanos) {
        busyNanos += nanos;
    }

    /** Whether {@link #tick} has something to do: every second, when the target changes, and when it has settled. */
    public boolean isDue(long nowNanos, Decision inForce) {
        return isNew(inForce) || nowNanos - tickedNanos >= TICK_NANOS || (settling && nowNanos - settledNanos >= 0);
    }

    /** Takes acknowledgements of the last moments, and ends the window if it is over. */
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
            if (nowNanos - begunNanos >= windowNanos) {
                end(nowNanos);
            }
        }
        decision = inForce;
    }

    private boolean isNew(Decision inForce) {
        return decision == null
                || decision.level() != inForce.level()
                || !decision.target().equals(inForce.target());
    }

    /** A batch of the old linger may just have left, and another may have been on its way. */
    private long settlingNanos() {
        long old = decision == null ? 0 : 2 * decision.lingerNanos();
        return Math.min(windowNanos / 4, old + LEAST_SETTLING_NANOS);
    }

    private void end(long nowNanos) {
        long lengthNanos = nowNanos - begunNanos;
        if (decision != null
                && !settling
                && lengthNanos >= LEAST_WINDOW_NANOS
                && batches > 0
                && finished.size() < MOST_WAITING) {
            capacityPerSec = events * 1e9 / Math.max(1, busyNanos);
            finished.add(observation(lengthNanos, decision));
        }
        begin(nowNanos);
    }

    private void begin(long nowNanos) {
        begunNanos = nowNanos;
        events = 0;
        batches = 0;
        busyNanos = 0;
        lingerNanosSum = 0;
        latencies.reset();
    }

    /** Built, and checked, on the thread that takes it: a figure out of range must not end a poll. */
    private Supplier<Observation> observation(long lengthNanos, Decision observed) {
        long endEpochMs = epochMs.getAsLong();
        long seenEvents = events;
        long seenBatches = batches;
        double busyMs = busyNanos / 1e6;
        double lingerMs = lingerNanosSum / batches / 1e6;
        double capacity = capacityPerSec;
        double p50Ms = latencies.getValueAtPercentile(50) / 1_000.0;
        double p99Ms = latencies.getValueAtPercentile(99) / 1_000.0;
        return () -> new Observation(
                endEpochMs,
                lengthNanos / 1_000_000,
                observed.level(),
                observed.batchTargetEvents(),
                lingerMs,
                seenEvents,
                seenBatches,
                seenBatches,
                busyMs,
                capacity,
                p50Ms,
                p99Ms,
                p99Ms > 0 && p99Ms <= observed.budgetMs(),
                observed.target().trial());
    }

    /** Removes and returns the finished windows, oldest first, without those that had a figure out of range. One thread. */
    public List<Observation> take() {
        List<Observation> taken = new ArrayList<>();
        for (Supplier<Observation> next = finished.poll(); next != null; next = finished.poll()) {
            try {
                taken.add(next.get());
            } catch (IllegalArgumentException e) {
                // A figure out of its range. The windows beside it are no worse for it.
                if (!failureLogged) {
                    failureLogged = true;
                    LOG.warn("A window could not be observed; later failures of this kind are not logged", e);
                }
            }
        }
        return taken;
    }

    /** Events per busy second in the last finished window; 0 before the first. Any thread. */
    public double capacityPerSec() {
        return capacityPerSec;
    }
}
