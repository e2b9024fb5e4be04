package io.microbatch.connect;

import io.microbatch.connect.ack.CommitHorizon;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.calibration.WindowLearner;
import io.microbatch.connect.calibration.WindowObserver;
import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.StripeConfig;
import io.microbatch.connect.control.AdaptiveController;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.FixedController;
import io.microbatch.connect.control.LevelTargets;
import io.microbatch.connect.deadletter.GuardedReader;
import io.microbatch.connect.learning.BatchObjective;
import io.microbatch.connect.learning.Learner;
import io.microbatch.connect.learning.LearnerSettings;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.stripe.StripeWriter;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.UpstreamReader;
import io.microbatch.connect.upstream.hosted.HostedReader;
import io.microbatch.connect.upstream.synthetic.SyntheticUpstream;
import java.util.ArrayList;
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
        List<? extends UpstreamReader> bare = readers(config, taskConfig, context, nanoClock);
        List<? extends UpstreamReader> readers = config.deadLetter().isEmpty()
                ? bare
                : GuardedReader.each(bare, config.deadLetter().get());
        if (readers.isEmpty()) {
            throw new ConnectException("This task has no source partition to read; restart the connector");
        }
        StripeConfig stripe = config.stripe();
        StripeSet<EventRecord> stripes =
                new StripeSet<>(readers.size(), stripe.maxEvents(), stripe.maxBytes(), nanoClock);
        List<StripeWriter<EventRecord>> writers = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            writers.add(stripes.writer(i));
        }
        long nowNanos = nanoClock.getAsLong();
        CommitHorizon horizon = new CommitHorizon(nowNanos);
        ArrivalGauge gauge = new ArrivalGauge(config.pressure().smoothingMs(), nowNanos, 0);
        return new TaskPipeline(
                stripes,
                new ReaderGroup(taskName, readers, writers, horizon, nanoClock),
                control(config, gauge, readers.size()),
                horizon,
                new WindowObserver(config.pressure().windowMs(), nowNanos, System::currentTimeMillis),
                nanoClock);
    }

    private static List<? extends UpstreamReader> readers(
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

    private static TaskPipeline.Control control(MicrobatchConfig config, ArrivalGauge gauge, int readers) {
        BatchConfig batch = config.batch();
        // A batch of all that the stripes hold would have readers and task wait for each other in turns.
        int twoThirds = (int) Math.max(1, config.stripe().maxEvents() * 2L / 3 * readers);
        ControlSettings settings = new ControlSettings(
                batch.mode() == BatchConfig.Mode.FIXED ? batch.maxEvents() : Math.min(batch.maxEvents(), twoThirds),
                batch.maxBytes(),
                batch.lingerMs() * 1_000_000,
                batch.latencyTargetMs().orElse(Integer.MAX_VALUE),
                config.pressure().marginRatio());
        FilteredBacklog backlog = new FilteredBacklog(batch.maxFilteredBytes());
        if (batch.mode() == BatchConfig.Mode.FIXED) {
            return new TaskPipeline.Control(new FixedController(settings), gauge, backlog, WindowLearner.NONE);
        }
        BatchObjective objective = BatchObjective.valueOf(batch.objective().name());
        LevelTargets targets = new LevelTargets(settings, objective.firstLingerRatio());
        LearnerSettings learning =
                new LearnerSettings(settings, objective, config.pressure().windowMs());
        return new TaskPipeline.Control(
                new AdaptiveController(settings, targets),
                gauge,
                backlog,
                new Learner(targets, learning, new SplittableRandom()));
    }
}
