package io.microbatch.connect;

import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.learning.WindowObserver;
import io.microbatch.connect.metrics.TaskView;
import io.microbatch.connect.poll.Batch;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.poll.FlushReason;
import io.microbatch.connect.stripe.StripeProgress;
import io.microbatch.connect.upstream.ReaderGroup;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * What a running task shows of itself. The task thread writes, a few plain additions a batch and the rest once a second;
 * what is read comes from any thread.
 */
final class TaskFigures implements TaskView {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final EventSource<?> source;
    private final ReaderGroup readers;
    private final WindowObserver observer;
    private final FilteredBacklog backlog;
    private final WindowLearner learner;
    private final LongAdder skipped = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final AtomicLongArray flushes = new AtomicLongArray(FlushReason.values().length);

    /** What has come together since the last second; task thread only. */
    private long secondBeganNanos;

    private long secondBatches;
    private long secondEvents;
    private long secondBytes;
    private long secondBusyNanos;

    private volatile Decision decision;
    private volatile double arrivalsPerSec;
    private volatile double ackP50Ms;
    private volatile double ackP99Ms;
    private volatile double ackMaxMs;
    private volatile double batchEventsAvg;
    private volatile double batchBytesAvg;
    private volatile double commitTimeMs;
    private volatile double busyRatio;

    TaskFigures(
            EventSource<?> source,
            ReaderGroup readers,
            WindowObserver observer,
            TaskPipeline.Control control,
            Decision first,
            long nowNanos) {
        this.source = source;
        this.readers = readers;
        this.observer = observer;
        this.backlog = control.backlog();
        this.learner = control.learner();
        this.decision = first;
        this.secondBeganNanos = nowNanos;
    }

    /** A batch goes to Connect. */
    void returned(Batch batch) {
        batches.increment();
        events.add(batch.events());
        int reason = batch.reason().ordinal();
        flushes.lazySet(reason, flushes.getPlain(reason) + 1);
        secondBatches++;
        secondEvents += batch.events();
        secondBytes += batch.sizeBytes();
    }

    /** The task thread was in Connect with a batch for so long. */
    void busy(long nanos) {
        secondBusyNanos += nanos;
    }

    /** A batch was acknowledged so long after its return. */
    void committed(long delayNanos) {
        commitTimeMs = delayNanos / 1e6;
    }

    /** At every poll. */
    void show(Decision inForce, double perSec) {
        decision = inForce;
        arrivalsPerSec = perSec;
    }

    /** Every second, and whenever the target changes. */
    void tick(long nowNanos, Histogram acknowledged) {
        if (acknowledged.getTotalCount() > 0) {
            ackP50Ms = acknowledged.getValueAtPercentile(50) / 1_000.0;
            ackP99Ms = acknowledged.getValueAtPercentile(99) / 1_000.0;
            ackMaxMs = acknowledged.getMaxValue() / 1_000.0;
        }
        long lengthNanos = nowNanos - secondBeganNanos;
        if (lengthNanos < SECOND_NANOS) {
            return;
        }
        if (secondBatches > 0) {
            batchEventsAvg = (double) secondEvents / secondBatches;
            batchBytesAvg = (double) secondBytes / secondBatches;
        }
        busyRatio = Math.min(1, (double) secondBusyNanos / lengthNanos);
        secondBeganNanos = nowNanos;
        secondBatches = 0;
        secondEvents = 0;
        secondBytes = 0;
        secondBusyNanos = 0;
    }

    /** Connect is done with so many events that Kafka does not have. Any thread. */
    void skipped(int events) {
        skipped.add(events);
    }

    @Override
    public Decision decision() {
        return decision;
    }

    @Override
    public double arrivalsPerSec() {
        return arrivalsPerSec;
    }

    @Override
    public double ackP50Ms() {
        return ackP50Ms;
    }

    @Override
    public double ackP99Ms() {
        return ackP99Ms;
    }

    @Override
    public double ackMaxMs() {
        return ackMaxMs;
    }

    @Override
    public long batchTotal() {
        return batches.sum();
    }

    @Override
    public long eventTotal() {
        return events.sum();
    }

    @Override
    public double batchEventsAvg() {
        return batchEventsAvg;
    }

    @Override
    public double batchBytesAvg() {
        return batchBytesAvg;
    }

    @Override
    public long flushTotal(FlushReason reason) {
        return flushes.get(reason.ordinal());
    }

    @Override
    public double commitTimeMs() {
        return commitTimeMs;
    }

    @Override
    public double busyRatio() {
        return busyRatio;
    }

    @Override
    public double serviceRatePerSec() {
        return observer.serviceRatePerSec();
    }

    @Override
    public long skippedTotal() {
        return skipped.sum();
    }

    @Override
    public long deadLetterTotal() {
        return readers.deadLetterTotal();
    }

    @Override
    public long filteredKeptBytes() {
        return backlog.keptBytes();
    }

    @Override
    public long explorationTotal() {
        return learner.explorationTotal();
    }

    @Override
    public long regressionTotal() {
        return learner.regressionTotal();
    }

    @Override
    public double calibrationAgeSec() {
        long learnedEpochMs = learner.learnedEpochMs();
        return learnedEpochMs == 0 ? Double.NaN : Math.max(0, System.currentTimeMillis() - learnedEpochMs) / 1_000.0;
    }

    @Override
    public long bufferEvents() {
        return source.sizeEvents();
    }

    @Override
    public long bufferBytes() {
        return source.sizeBytes();
    }

    @Override
    public int stripeCount() {
        return source.stripeCount();
    }

    @Override
    public StripeProgress stripe(int stripe) {
        return source.progress(stripe);
    }

    @Override
    public long readerBlockedMs(int stripe) {
        return source.blockedNanosTotal(stripe) / 1_000_000;
    }

    @Override
    public double upstreamLagMs() {
        return readers.lagMs();
    }

    @Override
    public long ledgerDepth() {
        return readers.ledgerDepth();
    }
}
