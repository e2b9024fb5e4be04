package io.microbatch.connect;

import io.microbatch.connect.ack.DiscardedRecords;
import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.config.BoundaryConfig;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.StripeConfig;
import io.microbatch.connect.config.UpstreamConfig;
import io.microbatch.connect.control.AdaptiveController;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.FixedController;
import io.microbatch.connect.control.LevelTargets;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.control.RetryBackoffDetector;
import io.microbatch.connect.convert.Conversion;
import io.microbatch.connect.learning.Learner;
import io.microbatch.connect.learning.LearnerSettings;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.learning.WindowObserver;
import io.microbatch.connect.packing.PackedRecords;
import io.microbatch.connect.poll.CommitClock;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.UpstreamReader;
import io.microbatch.connect.upstream.hosted.HostedReader;
import io.microbatch.connect.upstream.http.HttpUpstream;
import io.microbatch.connect.upstream.outbox.OutboxUpstream;
import io.microbatch.connect.upstream.synthetic.SyntheticUpstream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Builds and connects the stages of a task. The only class that knows all of them. Stateless; task thread. */
final class TaskWiring {

    private TaskWiring() {}

    static TaskPipeline build(
            MicrobatchConfig config, Map<String, String> taskConfig, SourceTaskContext context, String taskName) {
        LongSupplier nanoClock = System::nanoTime;
        AtomicReference<Runnable> pendingBoundary = new AtomicReference<>();
        TaskPace pace = new TaskPace(nanoClock.getAsLong());
        List<UpstreamReader> readers = readers(config, taskConfig, context, pendingBoundary, pace, nanoClock);
        if (readers.isEmpty()) {
            throw new ConnectException("This task has no source partition to read; restart the connector");
        }
        AtomicLong deadLetterTotal = new AtomicLong();
        Supplier<RecordConversion> conversions = conversions(config, deadLetterTotal);
        long nowNanos = nanoClock.getAsLong();
        DurableWatermark watermark = new DurableWatermark(nowNanos);
        StripeConfig stripe = config.stripe();
        StripeSet<EventRecord> stripes =
                new StripeSet<>(readers.size(), stripe.maxEvents(), stripe.maxBytes(), nanoClock);
        // A batch of everything that the stripes hold would make readers and task wait for each other in turns.
        int maxEvents = (int) Math.max(1, stripe.maxEvents() * 2L / 3 * readers.size());
        ReaderGroup group = new ReaderGroup(taskName, readers, conversions, stripes, watermark, nanoClock);
        ArrivalGauge gauge = new ArrivalGauge(config.pressure().smoothingMs(), nowNanos, 0);
        return new TaskPipeline(
                source(config, stripes),
                new TaskPipeline.Reading(group, pendingBoundary, deadLetterTotal, pace),
                control(
                        config,
                        gauge,
                        maxEvents,
                        commits(
                                BoundaryConfig.from(taskConfig),
                                config.batch(),
                                context.transactionContext() != null,
                                nowNanos)),
                watermark,
                new WindowObserver(config.pressure().windowMs(), nowNanos, System::currentTimeMillis),
                nanoClock);
    }

    private static EventSource source(MicrobatchConfig config, StripeSet<EventRecord> stripes) {
        if (config.bulk().isEmpty()) {
            return new SingleRecords(stripes);
        }
        String deadLetterTopic =
                config.deadLetter().map(DeadLetterConfig::topic).orElse(null);
        return new PackedRecords(stripes, config.bulk().get().maxBytes(), deadLetterTopic);
    }

    private static List<UpstreamReader> readers(
            MicrobatchConfig config,
            Map<String, String> taskConfig,
            SourceTaskContext context,
            AtomicReference<Runnable> pendingBoundary,
            TaskPace pace,
            LongSupplier clock) {
        return switch (config.upstream().kind()) {
            case CONNECTOR -> List.of(new HostedReader(taskConfig, context, pendingBoundary, clock));
            case HTTP -> List.of(http(config, taskConfig, context, pace, clock));
            case OUTBOX -> List.of(OutboxUpstream.reader(taskConfig, context.offsetStorageReader(), clock));
            case SYNTHETIC ->
                SyntheticUpstream.readers(
                        taskConfig,
                        context.offsetStorageReader(),
                        config.stripe().maxCount(),
                        clock);
        };
    }

    private static UpstreamReader http(
            MicrobatchConfig config,
            Map<String, String> taskConfig,
            SourceTaskContext context,
            TaskPace pace,
            LongSupplier clock) {
        TaskName name = TaskName.of(taskConfig);
        return HttpUpstream.reader(
                taskConfig,
                name.connector(),
                name.number(),
                context.offsetStorageReader(),
                pace,
                config.pressure().margin()::usableNanos,
                clock);
    }

    private static Supplier<RecordConversion> conversions(MicrobatchConfig config, AtomicLong deadLetterTotal) {
        if (config.deadLetter().isPresent()) {
            boolean isDeletedUpstream = config.upstream().kind() == UpstreamConfig.Kind.OUTBOX
                    && config.outbox().deletes();
            return Conversion.withDeadLetters(config.deadLetter().get(), isDeletedUpstream, deadLetterTotal);
        }
        return config.bulk().isPresent() && config.upstream().kind() != UpstreamConfig.Kind.SYNTHETIC
                ? Conversion.forBulk(config.bulk().get())
                : () -> RecordConversion.NONE;
    }

    /**
     * Only where a batch is a transaction does its delay say something about commits, and can its offsets come later.
     *
     * @param connectorEndsTransactions whether the worker lets it. At least once it does not, whatever is configured
     */
    static Commits commits(
            BoundaryConfig boundary, BatchConfig batch, boolean connectorEndsTransactions, long nowNanos) {
        long maxIntervalMs = CommitClock.NO_INTERVAL / 1_000_000;
        long intervalMs = Math.min(boundary.intervalMs().orElse(maxIntervalMs), maxIntervalMs);
        boolean isTransaction = boundary.kind() == BoundaryConfig.Kind.POLL;
        return new Commits(
                new CommitClock(intervalMs * 1_000_000, nowNanos),
                isTransaction ? Optional.of(new RetryBackoffDetector()) : Optional.empty(),
                isTransaction ? offsetDelay(batch) : Optional.empty(),
                connectorEndsTransactions ? Optional.of(new DiscardedRecords()) : Optional.empty());
    }

    private static Optional<OffsetDelay> offsetDelay(BatchConfig batch) {
        if (batch.learnsOffsetDelay()) {
            return Optional.of(OffsetDelay.learned());
        }
        return batch.offsetDelayMs() > 0
                ? Optional.of(OffsetDelay.fixed(batch.offsetDelayMs() * 1_000_000L))
                : Optional.empty();
    }

    private static TaskPipeline.Control control(
            MicrobatchConfig config, ArrivalGauge gauge, int maxEvents, Commits commits) {
        BatchConfig batch = config.batch();
        ControlSettings settings = settings(config, maxEvents);
        FilteredBacklog backlog = new FilteredBacklog(batch.maxFilteredBytes());
        if (batch.mode() == BatchConfig.Mode.FIXED) {
            return new TaskPipeline.Control(new FixedController(settings), gauge, backlog, WindowLearner.NONE, commits);
        }
        LevelTargets targets = new LevelTargets(settings, batch.objective());
        LearnerSettings learning = new LearnerSettings(
                settings, batch.objective(), config.pressure().windowMs());
        return new TaskPipeline.Control(
                new AdaptiveController(settings, targets),
                gauge,
                backlog,
                new Learner(targets, learning, new SplittableRandom()),
                commits);
    }

    /** The operator's settings. In adaptive mode {@code maxEvents} limits the maximum records of a batch. */
    static ControlSettings settings(MicrobatchConfig config, int maxEvents) {
        BatchConfig batch = config.batch();
        boolean fixed = batch.mode() == BatchConfig.Mode.FIXED;
        // The size of a hosted connector's events is unknown at the start. Requests and rows are few objects, and what
        // is in flight of them is bounded in bytes.
        boolean firstBySize = config.upstream().kind() == UpstreamConfig.Kind.CONNECTOR;
        return new ControlSettings(
                fixed ? batch.maxEvents() : Math.min(batch.maxEvents(), maxEvents),
                batch.maxBytes(),
                batch.lingerMs() * 1_000_000,
                batch.budgets(),
                config.pressure().margin(),
                firstBySize,
                config.bulk().isPresent());
    }
}
