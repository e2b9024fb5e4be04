package io.microbatch.connect;

import io.microbatch.connect.ack.CommitHorizon;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.bulk.BulkFormat;
import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.config.BulkConfig;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.StripeConfig;
import io.microbatch.connect.config.UpstreamConfig;
import io.microbatch.connect.control.AdaptiveController;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.FixedController;
import io.microbatch.connect.control.LevelTargets;
import io.microbatch.connect.deadletter.GuardedReader;
import io.microbatch.connect.learning.Learner;
import io.microbatch.connect.learning.LearnerSettings;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.learning.WindowObserver;
import io.microbatch.connect.packing.PackedRecords;
import io.microbatch.connect.packing.PackedRuns;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.stripe.ByteStripeSet;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.ByteReader;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.UpstreamReader;
import io.microbatch.connect.upstream.hosted.HostedReader;
import io.microbatch.connect.upstream.synthetic.SyntheticUpstream;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Builds the stages of a task and connects them; the only place that knows all of them. Stateless; task thread. */
final class TaskWiring {

    private TaskWiring() {}

    static TaskPipeline build(
            MicrobatchConfig config, Map<String, String> taskConfig, SourceTaskContext context, String taskName) {
        LongSupplier nanoClock = System::nanoTime;
        List<? extends UpstreamReader> readers = readers(config, taskConfig, context, nanoClock);
        if (readers.isEmpty()) {
            throw new ConnectException("This task has no source partition to read; restart the connector");
        }
        long nowNanos = nanoClock.getAsLong();
        CommitHorizon horizon = new CommitHorizon(nowNanos);
        Buffered buffered = isBytes(config, readers)
                ? bytes(config, readers, taskName, horizon, nanoClock)
                : records(config, readers, taskName, horizon, nanoClock);
        ArrivalGauge gauge = new ArrivalGauge(config.pressure().smoothingMs(), nowNanos, 0);
        return new TaskPipeline(
                buffered.source(),
                buffered.readers(),
                control(config, gauge, buffered),
                horizon,
                new WindowObserver(config.pressure().windowMs(), nowNanos, System::currentTimeMillis),
                nanoClock);
    }

    /**
     * What buffers, and who fills it.
     *
     * @param maxEvents the most events that a batch should have of what is buffered
     * @param maxBytes the most bytes
     */
    private record Buffered(EventSource<?> source, ReaderGroup readers, int maxEvents, long maxBytes) {}

    /** Whether events stay bytes from the reader to the record. One that is longer than a record needs to be its own. */
    private static boolean isBytes(MicrobatchConfig config, List<? extends UpstreamReader> readers) {
        return config.bulk().isPresent()
                && config.upstream().kind() == UpstreamConfig.Kind.SYNTHETIC
                && readers.stream().allMatch(ByteReader.class::isInstance)
                && config.synthetic().maxBytes() + BulkFormat.MAX_FRAME_OVERHEAD_BYTES
                        <= maxRunBytes(config, config.bulk().get());
    }

    private static int maxRunBytes(MicrobatchConfig config, BulkConfig bulk) {
        return Math.min(PackedRuns.maxRunBytes(bulk.maxBytes()), config.stripe().byteCapacity() / 2);
    }

    private static Buffered bytes(
            MicrobatchConfig config,
            List<? extends UpstreamReader> readers,
            String taskName,
            CommitHorizon horizon,
            LongSupplier nanoClock) {
        BulkConfig bulk = config.bulk().orElseThrow();
        StripeConfig stripe = config.stripe();
        ByteStripeSet<EventRun> stripes = new ByteStripeSet<>(
                readers.size(), stripe.byteCapacity(), maxRunBytes(config, bulk), stripe.maxEvents(), nanoClock);
        List<ByteReader> byteReaders =
                readers.stream().map(ByteReader.class::cast).toList();
        return new Buffered(
                new PackedRuns(stripes, bulk.maxBytes()),
                ReaderGroup.ofBytes(taskName, byteReaders, stripes, horizon, nanoClock),
                Integer.MAX_VALUE,
                stripe.byteCapacity() * 2L / 3 * readers.size());
    }

    private static Buffered records(
            MicrobatchConfig config,
            List<? extends UpstreamReader> readers,
            String taskName,
            CommitHorizon horizon,
            LongSupplier nanoClock) {
        StripeConfig stripe = config.stripe();
        StripeSet<EventRecord> stripes =
                new StripeSet<>(readers.size(), stripe.maxEvents(), stripe.maxBytes(), nanoClock);
        String deadLetterTopic =
                config.deadLetter().map(DeadLetterConfig::topic).orElse(null);
        EventSource<?> source = config.bulk().isEmpty()
                ? new SingleRecords(stripes)
                : new PackedRecords(stripes, config.bulk().get().maxBytes(), deadLetterTopic);
        return new Buffered(
                source,
                ReaderGroup.ofRecords(taskName, readers, stripes, horizon, nanoClock),
                // A batch of all that the stripes hold would have readers and task wait for each other in turns.
                (int) Math.max(1, stripe.maxEvents() * 2L / 3 * readers.size()),
                Long.MAX_VALUE);
    }

    private static List<? extends UpstreamReader> readers(
            MicrobatchConfig config, Map<String, String> taskConfig, SourceTaskContext context, LongSupplier clock) {
        List<? extends UpstreamReader> bare = bareReaders(config, taskConfig, context, clock);
        if (config.deadLetter().isPresent()) {
            return GuardedReader.each(bare, config.deadLetter().get());
        }
        return config.bulk().isPresent() && config.upstream().kind() == UpstreamConfig.Kind.CONNECTOR
                ? GuardedReader.converting(bare, config.bulk().get())
                : bare;
    }

    private static List<? extends UpstreamReader> bareReaders(
            MicrobatchConfig config, Map<String, String> taskConfig, SourceTaskContext context, LongSupplier clock) {
        return switch (config.upstream().kind()) {
            case CONNECTOR -> List.of(new HostedReader(taskConfig, context));
            case SYNTHETIC ->
                SyntheticUpstream.readers(
                        taskConfig,
                        context.offsetStorageReader(),
                        config.stripe().maxCount(),
                        clock);
        };
    }

    private static TaskPipeline.Control control(MicrobatchConfig config, ArrivalGauge gauge, Buffered buffered) {
        BatchConfig batch = config.batch();
        ControlSettings settings = settings(config, buffered.maxEvents(), buffered.maxBytes());
        FilteredBacklog backlog = new FilteredBacklog(batch.maxFilteredBytes());
        if (batch.mode() == BatchConfig.Mode.FIXED) {
            return new TaskPipeline.Control(new FixedController(settings), gauge, backlog, WindowLearner.NONE);
        }
        LevelTargets targets = new LevelTargets(settings, batch.objective());
        LearnerSettings learning = new LearnerSettings(
                settings, batch.objective(), config.pressure().windowMs());
        return new TaskPipeline.Control(
                new AdaptiveController(settings, targets),
                gauge,
                backlog,
                new Learner(targets, learning, new SplittableRandom()));
    }

    /**
     * What the operator set, within what is buffered.
     *
     * @param mostEvents the most events that a batch should have of that, in adaptive mode
     * @param mostBytes the most bytes
     */
    static ControlSettings settings(MicrobatchConfig config, int mostEvents, long mostBytes) {
        BatchConfig batch = config.batch();
        boolean fixed = batch.mode() == BatchConfig.Mode.FIXED;
        boolean hosted = config.upstream().kind() == UpstreamConfig.Kind.CONNECTOR;
        return new ControlSettings(
                fixed ? batch.maxEvents() : Math.min(batch.maxEvents(), mostEvents),
                Math.min(batch.maxBytes(), mostBytes),
                batch.lingerMs() * 1_000_000,
                batch.latencyTargetMs().orElse(Integer.MAX_VALUE),
                config.pressure().marginRatio(),
                hosted ? BatchSetting.MAX_FIRST_HOSTED_EVENTS : batch.maxEvents(),
                config.bulk().isPresent());
    }
}
