package io.microbatch.connect;

import io.microbatch.connect.ack.AckLatency;
import io.microbatch.connect.ack.AckSignals;
import io.microbatch.connect.ack.DiscardedRecords;
import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.ack.SkippedRecords;
import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.control.Controller;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.control.DelayWindow;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.learning.WindowObserver;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricSink;
import io.microbatch.connect.poll.Batch;
import io.microbatch.connect.poll.BatchAssembler;
import io.microbatch.connect.poll.CommitClock;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.ReturnedBatch;
import io.microbatch.connect.stripe.StripeProgress;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.ReaderGroup;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The stages of a running task in the order in which an event passes them: readers, stripes, assembly, and the
 * acknowledgements on the way back. {@link #poll} belongs to the task thread. {@link #acknowledged} and {@link
 * #committed} may be called by any thread, even after {@link #stop}.
 */
final class TaskPipeline {

    private final EventSource source;
    private final ReaderGroup readers;
    private final AtomicReference<Runnable> pendingBoundary;
    private final AtomicLong deadLetterTotal;
    private final TaskPace pace;
    private final DelayWindow delays = new DelayWindow();
    private final BatchAssembler assembler;
    private final Controller controller;
    private final ArrivalGauge gauge;
    private final DurableWatermark watermark;
    private final WindowObserver observer;
    private final FilteredBacklog backlog;
    private final WindowLearner learner;
    private final CommitClock commitClock;

    private final BackoffLog backoffLog;

    /** Null where the offsets of a batch always follow its records immediately. */
    private final OffsetDelay offsetDelay;

    /** Null unless the worker lets the connector end transactions. */
    private final DiscardedRecords discarded;

    private final SkippedRecords skipped = new SkippedRecords();
    private final LongSupplier nanoClock;
    private final AckSignals signals = new AckSignals();
    private final AckLatency latency = new AckLatency();
    private final TaskFigures figures;
    private final Thread taskThread = Thread.currentThread();

    /** When the last batch was returned. Only valid while {@link #busy}. */
    private long returnedNanos;

    private boolean busy;

    /** The events and the bytes of the last batch. */
    private int returnedEvents;

    private long returnedBytes;

    /** The batch of the last record that a transaction has delivered. Null before. */
    private ReturnedBatch delivered;

    /** Whether a record was acknowledged since Connect's last commit. Otherwise there was no transaction. */
    private boolean hasTransaction;

    private volatile AckSignals.Delivery deliveryAtPoll = AckSignals.Delivery.UNKNOWN;

    /** The first failure of a reader. Later ones may be consequences of closed stripes. */
    private Throwable failure;

    TaskPipeline(
            EventSource source,
            Reading reading,
            Control control,
            DurableWatermark watermark,
            WindowObserver observer,
            LongSupplier nanoClock) {
        this.source = source;
        this.readers = reading.readers();
        this.pendingBoundary = reading.pendingBoundary();
        this.deadLetterTotal = reading.deadLetterTotal();
        this.pace = reading.pace();
        this.controller = control.controller();
        this.gauge = control.gauge();
        this.commitClock = control.commits().clock();
        this.backoffLog = new BackoffLog(control.commits());
        this.discarded = control.commits().discarded().orElse(null);
        this.offsetDelay = control.commits().offsetDelay().orElse(null);
        this.assembler = new BatchAssembler(
                source, controller, gauge, commitClock, offsetDelay, nanoClock, System::currentTimeMillis);
        this.watermark = watermark;
        this.observer = observer;
        this.backlog = control.backlog();
        this.learner = control.learner();
        this.nanoClock = nanoClock;
        this.figures = new TaskFigures(assembler.decision(), nanoClock);
    }

    /**
     * The readers and what they share with the task thread.
     *
     * @param pendingBoundary the transaction boundary that is due when the stripes are empty, then the action that lets
     *     the hosted task be polled again in Connect's next poll; holds null for none
     * @param deadLetterTotal counts the dead letters of all readers
     * @param pace what the readers may ask of how Connect serves the task
     */
    record Reading(
            ReaderGroup readers,
            AtomicReference<Runnable> pendingBoundary,
            AtomicLong deadLetterTotal,
            TaskPace pace) {}

    /** The controller, the arrival rate that it uses, the limit on filtered events, the learner, and the commits. */
    record Control(
            Controller controller,
            ArrivalGauge gauge,
            FilteredBacklog backlog,
            WindowLearner learner,
            Commits commits) {}

    void start() {
        readers.start();
    }

    /**
     * Returns the records of the next batch, or null if none is ready soon. Throws a reader's failure once the stripes
     * are drained.
     */
    List<SourceRecord> poll() throws InterruptedException {
        long enteredNanos = nanoClock.getAsLong();
        watermark.polled(enteredNanos);
        pace.polled(enteredNanos);
        readers.polled();
        account(enteredNanos);
        if (deliveryAtPoll == AckSignals.Delivery.UNKNOWN) {
            deliveryAtPoll = signals.delivery();
            if (deliveryAtPoll == AckSignals.Delivery.AT_LEAST_ONCE) {
                pace.atLeastOnce();
            }
        }
        backlog.check();
        noteFailure();
        // Read before the stripes: events that were handed over before the boundary come first.
        Runnable boundary = pendingBoundary.get();
        if (boundary != null && source.stripes().sizeEvents() == 0) {
            // Its reader waits for it, so that a wait for events would be in vain.
            boundary.run();
            return null;
        }
        Batch batch = assembler.poll(failure != null);
        show(assembler.decision(), nanoClock.getAsLong());
        if (batch != null) {
            return returned(batch);
        }
        if (failure != null) {
            throw asConnectException(failure);
        }
        return null;
    }

    private void noteFailure() {
        if (failure == null) {
            failure = readers.failure();
            if (failure != null) {
                // Other readers would delay the report for as long as they have events.
                source.stripes().close();
            }
        }
    }

    private void account(long enteredNanos) {
        skipped.polled(enteredNanos);
        if (discarded != null) {
            discarded.settle(enteredNanos, event -> figures.skipped(event.events()));
        }
        endBusy(enteredNanos);
        signals.drainTo((delayNanos, worstLatencyNanos, transactional) -> {
            long pausedNanos = Math.min(delayNanos, assembler.pausedNanos());
            controller.acknowledged(enteredNanos, delayNanos, pausedNanos, worstLatencyNanos, transactional);
            figures.committed(enteredNanos, delayNanos);
            delays.add(enteredNanos, delayNanos);
            if (transactional) {
                assembler.transactionCommitted(enteredNanos, delayNanos);
                backoffLog.committed(delayNanos, pausedNanos, returnedEvents, returnedBytes);
            }
        });
    }

    private void endBusy(long nowNanos) {
        if (busy) {
            long busyNanos = Math.max(0, nowNanos - returnedNanos - assembler.pausedNanos());
            observer.busy(busyNanos);
            figures.busy(busyNanos);
            busy = false;
        }
    }

    private List<SourceRecord> returned(Batch batch) {
        observer.returned(batch.events(), batch.decision(), batch.offsetDelayNanos(), batch.triesOffsetDelay());
        returnedNanos = batch.returnedNanos();
        busy = true;
        returnedEvents = batch.events();
        returnedBytes = batch.sizeBytes();
        figures.returned(batch);
        backlog.returned(batch.events(), batch.heldBytes());
        if (discarded != null) {
            discarded.returned(batch.records());
        }
        return batch.records();
    }

    private void show(Decision inForce, long nowNanos) {
        figures.show(inForce, gauge.perSec());
        if (observer.isDue(nowNanos, inForce)) {
            pace.usualAck(delays.freshQuantileNanos(nowNanos, 0.5));
            Histogram acknowledged = latency.interval();
            figures.tick(nowNanos, acknowledged);
            observer.tick(nowNanos, inForce, acknowledged);
        }
    }

    /** Never returns a retriable exception: Connect would poll forever although the reader has ended. */
    private static ConnectException asConnectException(Throwable cause) {
        if (cause instanceof ConnectException known && !(cause instanceof RetriableException)) {
            return known;
        }
        return new ConnectException("The upstream failed: " + cause, cause);
    }

    /** Settles the event of this record. Null metadata means that Kafka does not have it. */
    void acknowledged(EventRecord event, RecordMetadata metadata) {
        long nowNanos = nanoClock.getAsLong();
        boolean onTaskThread = Thread.currentThread().equals(taskThread);
        if (onTaskThread) {
            hasTransaction = true;
            backlog.acknowledged();
            if (discarded != null) {
                discarded.acknowledged();
            }
        }
        if (metadata == null) {
            figures.skipped(event.events());
            skipped.skipped(event, onTaskThread, nowNanos);
            return;
        }
        event.settle(metadata, nowNanos);
        boolean isFirst = false;
        long latencyNanos = nowNanos - event.arrivalNanos();
        if (onTaskThread) {
            isFirst = !event.batch().equals(delivered);
            delivered = event.batch();
            latency.recordOnTaskThread(latencyNanos, event.events());
        } else {
            latency.record(latencyNanos, event.events());
            watermark.acknowledgedAtLeastOnce();
        }
        signal(event, nowNanos, onTaskThread, isFirst);
    }

    /**
     * The application of an embedded engine has processed the event of this record. The engine has no transactions, so
     * that this is an acknowledgement at least once on any thread.
     */
    void processed(EventRecord event) {
        long nowNanos = nanoClock.getAsLong();
        event.settleProcessed(nowNanos);
        latency.record(nowNanos - event.arrivalNanos(), event.events());
        watermark.acknowledgedAtLeastOnce();
        signal(event, nowNanos, false, false);
    }

    /** The first record of a batch that is acknowledged after a commit shows its time, too: the last may be dropped. */
    private void signal(EventRecord event, long nowNanos, boolean onTaskThread, boolean isFirst) {
        boolean showsDelay = isFirst || event.endsBatch();
        if (showsDelay || event.isOldestOfBatch()) {
            // Never 0 for a whole batch, even if the clock is coarse.
            long delayNanos = showsDelay ? Math.max(1, nowNanos - event.batch().returnedNanos()) : 0;
            signals.signal(delayNanos, nowNanos - event.arrivalNanos(), onTaskThread);
        }
    }

    /** Connect has committed source offsets. */
    void committed() {
        if (Thread.currentThread().equals(taskThread)) {
            commitClock.committed();
            if (discarded == null) {
                // Connect may now find that the connector is to pause, and does not poll until it is resumed. Where the
                // connector ends transactions, more records of the batch may follow.
                endBusy(nanoClock.getAsLong());
            }
            if (hasTransaction) {
                hasTransaction = false;
                observer.committed();
            }
            if (signals.delivery() != AckSignals.Delivery.AT_LEAST_ONCE) {
                backlog.committed();
            }
            readers.committedOnTaskThread();
        } else {
            // Also where no record was delivered yet, because transforms have dropped all of them.
            watermark.acknowledgedAtLeastOnce();
        }
        offsetsStored();
    }

    /** An embedded engine has stored source offsets, and no transaction has committed. */
    void offsetsStored() {
        watermark.committed();
    }

    /** Stops the readers within this time. Events that are still buffered are read again after the next start. */
    void stop(long withinMs) {
        readers.stop(withinMs);
        source.stripes().close();
    }

    /** The observation windows that have ended since the last call. Any thread. */
    List<Observation> finishedWindows() {
        return observer.take();
    }

    /** The learner, which runs on the calibration thread. */
    WindowLearner learner() {
        return learner;
    }

    /** How Connect delivered before the latest poll. A task that hangs in Connect does not learn it. Any thread. */
    AckSignals.Delivery delivery() {
        return deliveryAtPoll;
    }

    /** Adds every metric of the task. Any thread may read their values. */
    void addMetrics(MetricSink sink) {
        StripeSet<EventRecord> stripes = source.stripes();
        figures.addMetrics(sink);
        TaskFigures.addUpstream(readers.figures(), sink);
        sink.add(Metric.CAPACITY, observer::serviceRatePerSec);
        sink.add(Metric.OFFSET_DELAY_MS, this::offsetDelayMs);
        sink.add(Metric.DEAD_LETTER_TOTAL, deadLetterTotal::get);
        sink.add(Metric.FILTERED_KEPT_BYTES, backlog::keptBytes);
        sink.add(Metric.BUFFER_EVENTS, stripes::sizeEvents);
        sink.add(Metric.BUFFER_BYTES, stripes::sizeBytes);
        sink.add(Metric.LEDGER_DEPTH, readers::ledgerDepth);
        sink.add(Metric.UPSTREAM_LAG_MS, readers::lagMs);
        sink.add(Metric.UPSTREAM_SILENT_MS, readers::silentMs);
        sink.add(Metric.UPSTREAM_HEARTBEAT_MS, readers::heartbeatMs);
        sink.add(Metric.UPSTREAM_CONNECTED, readers::connected);
        sink.add(Metric.CALIBRATION_AGE_S, () -> learner.learnedAgeSec(System.currentTimeMillis()));
        sink.add(Metric.EXPLORATION_TOTAL, learner::explorationTotal);
        sink.add(Metric.REGRESSION_TOTAL, learner::regressionTotal);
        for (int i = 0; i < stripes.stripeCount(); i++) {
            addMetrics(i, sink);
        }
    }

    private double offsetDelayMs() {
        boolean delays = offsetDelay != null && deliveryAtPoll == AckSignals.Delivery.EXACTLY_ONCE;
        return delays ? offsetDelay.keptNanos() / 1_000_000 : 0;
    }

    private void addMetrics(int number, MetricSink sink) {
        String tag = Integer.toString(number);
        StripeProgress stripe = source.stripes().progress(number);
        sink.add(Metric.STRIPE_EVENTS, tag, stripe::sizeEvents);
        sink.add(Metric.STRIPE_BYTES, tag, stripe::sizeBytes);
        sink.add(Metric.STRIPE_REMAINING_EVENTS, tag, () -> Math.max(0, stripe.capacityEvents() - stripe.sizeEvents()));
        sink.add(Metric.STRIPE_REMAINING_BYTES, tag, () -> Math.max(0, stripe.capacityBytes() - stripe.sizeBytes()));
        sink.add(Metric.STRIPE_FULL_TOTAL, tag, stripe::fullTotal);
        sink.add(Metric.READER_BLOCKED_MS_TOTAL, tag, () -> source.stripes().blockedNanosTotal(number) / 1_000_000);
    }
}
