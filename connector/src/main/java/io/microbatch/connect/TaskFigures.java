package io.microbatch.connect;

import io.microbatch.connect.ack.LastMinute;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricSink;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.poll.Batch;
import io.microbatch.connect.poll.FlushReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * The figures of a task's batches and acknowledgements. The task thread writes them: a few plain additions per batch,
 * the rest once per second. Any thread reads them as metrics. The figures are not a consistent snapshot.
 */
final class TaskFigures {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final LongAdder skipped = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder acknowledgedEvents = new LongAdder();
    private final AtomicLongArray flushes = new AtomicLongArray(FlushReason.values().length);

    /** The start of the second that the sums below belong to. Task thread only, like the sums. */
    private long secondBeganNanos;

    private long secondBatches;
    private long secondEvents;
    private long secondBytes;
    private long secondBusyNanos;

    private final LongSupplier nanoClock;
    private final LastMinute minuteAcks;
    private final LastMinute minuteCommits;

    private volatile Decision decision;
    private volatile double arrivalsPerSec;
    private volatile double ackP50Ms;
    private volatile double ackP99Ms;
    private volatile double ackMaxMs;
    private volatile double batchEventsAvg;
    private volatile double batchBytesAvg;
    private volatile double commitTimeMs;
    private volatile double busyRatio;

    TaskFigures(Decision first, LongSupplier nanoClock) {
        long nowNanos = nanoClock.getAsLong();
        this.decision = first;
        this.nanoClock = nanoClock;
        this.secondBeganNanos = nowNanos;
        this.minuteAcks = new LastMinute(nowNanos);
        this.minuteCommits = new LastMinute(nowNanos);
    }

    /** Counts a batch that is returned to Connect. */
    void returned(Batch batch) {
        batches.increment();
        events.add(batch.events());
        int reason = batch.reason().ordinal();
        flushes.lazySet(reason, flushes.getPlain(reason) + 1);
        secondBatches++;
        secondEvents += batch.events();
        secondBytes += batch.sizeBytes();
    }

    /** Adds the time that the task thread was in Connect with a batch. */
    void busy(long nanos) {
        secondBusyNanos += nanos;
    }

    /** Notes the time from a batch's return to its last acknowledgement. */
    void committed(long nowNanos, long delayNanos) {
        commitTimeMs = delayNanos / 1e6;
        minuteCommits.add(nowNanos, delayNanos);
    }

    /** Updates the values that follow each poll. */
    void show(Decision inForce, double perSec) {
        decision = inForce;
        arrivalsPerSec = perSec;
    }

    /** Updates the figures of the last second. Called every second and at every change of the target. */
    void tick(long nowNanos, Histogram acknowledged) {
        if (acknowledged.getTotalCount() > 0) {
            ackP50Ms = acknowledged.getValueAtPercentile(50) / 1_000.0;
            ackP99Ms = acknowledged.getValueAtPercentile(99) / 1_000.0;
            ackMaxMs = acknowledged.getMaxValue() / 1_000.0;
            acknowledgedEvents.add(acknowledged.getTotalCount());
        }
        minuteAcks.add(nowNanos, acknowledged);
        minuteAcks.show(nowNanos);
        minuteCommits.show(nowNanos);
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

    /** Counts events that Connect finished without sending them to Kafka. Any thread. */
    void skipped(int events) {
        skipped.add(events);
    }

    /** Adds the figures that only an upstream has, joined over the readers. */
    static void addUpstream(List<UpstreamMetric.Figure> figures, MetricSink sink) {
        Map<UpstreamMetric, Map<String, DoubleSupplier>> joined = new LinkedHashMap<>();
        for (UpstreamMetric.Figure figure : figures) {
            UpstreamMetric metric = figure.metric();
            joined.computeIfAbsent(metric, added -> new LinkedHashMap<>())
                    .merge(
                            figure.tagValue(),
                            figure.value(),
                            (one, other) -> () -> metric.joined(one.getAsDouble(), other.getAsDouble()));
        }
        joined.forEach((metric, byTag) -> byTag.forEach((tagValue, value) -> sink.add(metric, tagValue, value)));
    }

    void addMetrics(MetricSink sink) {
        sink.add(Metric.PRESSURE_LEVEL, () -> decision.level().number());
        sink.add(Metric.ARRIVAL_RATE, () -> arrivalsPerSec);
        sink.add(Metric.BATCH_TARGET_EVENTS, () -> decision.setting().maxEvents());
        sink.add(Metric.LINGER_MS, () -> decision.setting().lingerMs());
        sink.add(Metric.BUDGET_MS, () -> decision.budgetMs());
        sink.add(Metric.BUDGET_ATTAINABLE, () -> decision.attainable() ? 1 : 0);
        sink.add(Metric.ACK_LATENCY_P50_MS, () -> ackP50Ms);
        sink.add(Metric.ACK_LATENCY_P99_MS, () -> ackP99Ms);
        sink.add(Metric.ACK_LATENCY_MAX_MS, () -> ackMaxMs);
        sink.add(
                Metric.ACK_LATENCY_MINUTE_P50_MS,
                () -> minuteAcks.times(nanoClock.getAsLong()).p50());
        sink.add(
                Metric.ACK_LATENCY_MINUTE_P99_MS,
                () -> minuteAcks.times(nanoClock.getAsLong()).p99());
        sink.add(
                Metric.ACK_LATENCY_MINUTE_MAX_MS,
                () -> minuteAcks.times(nanoClock.getAsLong()).max());
        sink.add(Metric.BATCH_TOTAL, batches::sum);
        sink.add(Metric.EVENT_TOTAL, events::sum);
        sink.add(Metric.ACKNOWLEDGED_TOTAL, acknowledgedEvents::sum);
        sink.add(Metric.BATCH_EVENTS_AVG, () -> batchEventsAvg);
        sink.add(Metric.BATCH_BYTES_AVG, () -> batchBytesAvg);
        sink.add(Metric.COMMIT_TIME_MS, () -> commitTimeMs);
        sink.add(
                Metric.COMMIT_TIME_MINUTE_P50_MS,
                () -> minuteCommits.times(nanoClock.getAsLong()).p50());
        sink.add(
                Metric.COMMIT_TIME_MINUTE_P99_MS,
                () -> minuteCommits.times(nanoClock.getAsLong()).p99());
        sink.add(Metric.BUSY_RATIO, () -> busyRatio);
        sink.add(Metric.SKIPPED_TOTAL, skipped::sum);
        for (FlushReason reason : FlushReason.values()) {
            sink.add(Metric.FLUSH_TOTAL, reason.label(), () -> flushes.get(reason.ordinal()));
        }
    }
}
