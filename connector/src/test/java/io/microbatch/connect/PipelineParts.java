package io.microbatch.connect;

import io.microbatch.connect.ack.DiscardedRecords;
import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.FixedController;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.control.RetryBackoffDetector;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.learning.WindowObserver;
import io.microbatch.connect.metrics.MetricValues;
import io.microbatch.connect.poll.CommitClock;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** What a test's pipelines are made of: N = 4 and T = 0. */
final class PipelineParts {

    final AtomicReference<Runnable> pendingBoundary = new AtomicReference<>();
    final TaskPace pace = new TaskPace(0);
    final FilteredBacklog backlog = new FilteredBacklog(1 << 20);
    final RetryBackoffDetector detector = new RetryBackoffDetector();
    final CommitClock commits = new CommitClock(CommitClock.NO_INTERVAL, System.nanoTime());
    private final Optional<OffsetDelay> offsetDelay;
    private final Optional<DiscardedRecords> discarded;

    /** Of a connector that ends its transactions itself. */
    PipelineParts() {
        this(Optional.empty(), Optional.of(new DiscardedRecords()));
    }

    /** Of one with a transaction for each poll. */
    PipelineParts(Optional<OffsetDelay> offsetDelay) {
        this(offsetDelay, Optional.empty());
    }

    private PipelineParts(Optional<OffsetDelay> offsetDelay, Optional<DiscardedRecords> discarded) {
        this.offsetDelay = offsetDelay;
        this.discarded = discarded;
    }

    /** A pipeline whose task thread is the present one. */
    TaskPipeline pipeline(EventSource source, LongSupplier nanoClock, UpstreamReader... readers) {
        DurableWatermark watermark = new DurableWatermark(System.nanoTime());
        ControlSettings settings = new ControlSettings(
                4, 1 << 20, 0, new LatencyBudgets(0, Integer.MAX_VALUE), Margin.DEFAULT, false, false);
        return new TaskPipeline(
                source,
                new TaskPipeline.Reading(
                        new ReaderGroup(
                                "t-0",
                                List.of(readers),
                                () -> RecordConversion.NONE,
                                source.stripes(),
                                watermark,
                                System::nanoTime),
                        pendingBoundary,
                        new AtomicLong(),
                        pace),
                new TaskPipeline.Control(
                        new FixedController(settings),
                        new ArrivalGauge(500, System.nanoTime(), 0),
                        backlog,
                        WindowLearner.NONE,
                        new Commits(commits, Optional.of(detector), offsetDelay, discarded)),
                watermark,
                new WindowObserver(10_000, System.nanoTime(), () -> 1),
                nanoClock);
    }

    static MetricValues shown(TaskPipeline pipeline) {
        MetricValues values = new MetricValues();
        pipeline.addMetrics(values);
        return values;
    }
}
