package io.microbatch.connect.console;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds a sample of every local task to a {@link History} every five seconds, on a thread of its own. It uses a
 * twentieth of one processor at most: after a slow sample the next ones are left out. Any thread.
 */
final class Sampler implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Sampler.class);

    private static final int MAX_SHARE = 20;

    private final TaskReader reader;
    private final Function<String, ConnectorSettings> settings;
    private final History history;
    private final Runnable everyStep;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(Threads.named("sampler"));
    private final long beganNanos;
    /** Own thread only. */
    private long notBeforeNanos;

    /**
     * Begins to sample.
     *
     * @param settings what is known of a connector's settings; must not wait
     * @param everyStep runs before each sample, also before one that is left out; must not wait or throw
     */
    Sampler(TaskReader reader, Function<String, ConnectorSettings> settings, History history, Runnable everyStep) {
        this.reader = reader;
        this.everyStep = everyStep;
        this.settings = settings;
        this.history = history;
        this.beganNanos = System.nanoTime();
        this.notBeforeNanos = beganNanos;
        // At a fixed rate: with a delay after each sample, one in some hundred steps would have none.
        ScheduledFuture<?> ignored =
                thread.scheduleAtFixedRate(this::sample, 0, History.STEP_MS, TimeUnit.MILLISECONDS);
    }

    private void sample() {
        everyStep.run();
        long begunNanos = System.nanoTime();
        long nowMs = TimeUnit.NANOSECONDS.toMillis(begunNanos - beganNanos);
        if (begunNanos - notBeforeNanos < 0) {
            history.advance(nowMs);
            return;
        }
        try {
            history.add(reader.read(reader.tasks(), settings, History.KINDS), nowMs);
        } catch (RuntimeException e) {
            // A sampler that throws would never be called again.
            log.debug("A sample of the tasks' figures failed", e);
            history.advance(nowMs);
        }
        long endedNanos = System.nanoTime();
        notBeforeNanos = endedNanos + (endedNanos - begunNanos) * (MAX_SHARE - 1);
    }

    @Override
    public void close() {
        List<Runnable> ignored = thread.shutdownNow();
    }
}
