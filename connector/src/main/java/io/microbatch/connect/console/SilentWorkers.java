package io.microbatch.connect.console;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The workers that did not answer. Each of them is asked again after ten seconds, after it was silent again after
 * twenty, and then every thirty, so that a dead worker does not cost every answer its time. Any thread.
 */
final class SilentWorkers {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int LONGEST_PAUSES = 3;

    /** Addresses come from the cluster, and workers that are gone are never asked again. */
    private static final int MAX_WORKERS = 500;

    private final LongSupplier nanoClock;
    private final Map<String, Silence> silences = new ConcurrentHashMap<>();

    /** How often in a row a worker was silent, and when at last. */
    private record Silence(int times, long sinceNanos) {}

    SilentWorkers(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Whether it is too early to ask this worker again. */
    boolean isPaused(String worker) {
        Silence silence = silences.get(worker);
        return silence != null
                && nanoClock.getAsLong() - silence.sinceNanos()
                        < PAUSE_NANOS * Math.min(LONGEST_PAUSES, silence.times());
    }

    /** The worker was asked and did not answer. */
    void silent(String worker) {
        if (silences.size() >= MAX_WORKERS) {
            silences.clear();
        }
        Silence ignored = silences.compute(
                worker, (key, last) -> new Silence(last == null ? 1 : last.times() + 1, nanoClock.getAsLong()));
    }

    /** The worker has answered, whatever. */
    void answered(String worker) {
        Silence ignored = silences.remove(worker);
    }
}
