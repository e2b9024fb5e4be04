package io.microbatch.bench.load;

import io.microbatch.testbed.JmxReader;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a task has decided while a load runs, as its metrics say it. Samples on a thread of its own, so that the
 * consumer's latencies do not contain it; the reader belongs to that thread until {@link #close}.
 */
public final class ControlSampler implements Closeable {

    /** Two calls each, which a worker does not notice. */
    private static final long PERIOD_MS = 200;

    private static final String RATE = "arrival-rate";
    private static final String LEVEL = "pressure-level";
    private static final String TARGET = "batch-target-events";
    private static final String LINGER = "linger-ms";
    private static final String BUDGET = "budget-ms";

    private final JmxReader jmx;
    private final String pattern;
    private final List<Sample> samples = new ArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "control-sampler");
        sampler.setDaemon(true);
        return sampler;
    });

    /**
     * The decision at a moment.
     *
     * @param arrivalsPerSec the smoothed rate that the level follows from
     * @param level the pressure level's number
     * @param batchTargetEvents N
     * @param lingerMs T
     */
    public record Sample(
            long epochMs,
            double arrivalsPerSec,
            int level,
            double batchTargetEvents,
            double lingerMs,
            double budgetMs) {}

    private ControlSampler(JmxReader jmx, String pattern) {
        this.jmx = jmx;
        this.pattern = pattern;
    }

    /** Samples the first task of this connector, whenever there is one. */
    public static ControlSampler start(JmxReader jmx, String connector) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(connector) + ",task=0,*";
        ControlSampler sampler = new ControlSampler(jmx, pattern);
        ScheduledFuture<?> ignored =
                sampler.thread.scheduleAtFixedRate(sampler::sample, 0, PERIOD_MS, TimeUnit.MILLISECONDS);
        return sampler;
    }

    private void sample() {
        Map<String, Double> now = jmx.numbers(pattern, RATE, LEVEL, TARGET, LINGER, BUDGET);
        // A task that is being started has no decision yet.
        if (now.size() == 5 && now.get(LEVEL) > 0) {
            add(new Sample(
                    System.currentTimeMillis(),
                    now.get(RATE),
                    now.get(LEVEL).intValue(),
                    now.get(TARGET),
                    now.get(LINGER),
                    now.get(BUDGET)));
        }
    }

    private synchronized void add(Sample sample) {
        samples.add(sample);
    }

    /** Those taken so far, in order. */
    public synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
