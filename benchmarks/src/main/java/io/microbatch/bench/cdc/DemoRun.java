package io.microbatch.bench.cdc;

import io.microbatch.bench.cdc.PipelineMetrics.Snapshot;
import io.microbatch.bench.rows.LiveConsumer;
import io.microbatch.bench.rows.LoadPhase;
import io.microbatch.bench.rows.LoadWriters;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Runs the phases one after the other while a consumer reads the topic, and shows a line a second. Used by one thread.
 */
final class DemoRun {

    private static final long LINE_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

    private final CdcStack stack;
    private final LoadWriters writers;
    private final LiveConsumer consumer;
    private final LiveDisplay display;
    private final PipelineMetrics metrics;
    private long nextLineNanos = System.nanoTime() + LINE_EVERY_NANOS;

    DemoRun(CdcStack stack, LoadWriters writers, LiveConsumer consumer, LiveDisplay display) {
        this.stack = stack;
        this.writers = writers;
        this.consumer = consumer;
        this.display = display;
        this.metrics = stack.metrics();
    }

    List<PhaseResult> run(List<LoadPhase> phases) {
        List<PhaseResult> results = new ArrayList<>();
        for (LoadPhase phase : phases) {
            boolean last = phase.number() == phases.size() - 1;
            results.add(run(phase, last));
        }
        display.end();
        return results;
    }

    private PhaseResult run(LoadPhase phase, boolean last) {
        Snapshot before = metrics.sample();
        Snapshot[] pressed = {before};
        long startNanos = System.nanoTime();
        CompletableFuture<Long> writing = writers.begin(phase);
        showUntil(phase, startNanos, pressed, writing::isDone);
        long writeNanos = System.nanoTime() - startNanos;
        long lateNanos = writing.join();
        if (last) {
            long deadlineNanos = System.nanoTime() + DRAIN_LIMIT.toNanos();
            showUntil(
                    phase,
                    startNanos,
                    pressed,
                    () -> consumer.received() >= writers.written() || System.nanoTime() - deadlineNanos >= 0);
        }
        long elapsedNanos = System.nanoTime() - startNanos;
        Snapshot after = metrics.sample();
        return new PhaseResult(
                phase,
                elapsedNanos,
                writeNanos,
                lateNanos,
                Snapshot.morePressed(pressed[0], after),
                before,
                after,
                consumer.phase(phase.number()));
    }

    private void showUntil(LoadPhase phase, long startNanos, Snapshot[] pressed, BooleanSupplier done) {
        while (!Await.reached(Duration.ofNanos(nextLineNanos - System.nanoTime()), done)) {
            stack.requireRunning();
            Snapshot sample = metrics.sample();
            pressed[0] = Snapshot.morePressed(pressed[0], sample);
            display.show(phase, System.nanoTime() - startNanos, writers.written(), sample, consumer.interval());
            nextLineNanos = Math.max(nextLineNanos + LINE_EVERY_NANOS, System.nanoTime());
        }
    }
}
