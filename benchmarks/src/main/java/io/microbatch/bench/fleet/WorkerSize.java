package io.microbatch.bench.fleet;

import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.JmxReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a worker's JVM holds at a moment. Immutable.
 *
 * @param liveBytes the bytes of all objects in the heap after a full collection
 * @param threads the Java threads
 */
record WorkerSize(long liveBytes, int threads) {

    /** The last line of a class histogram: the number of objects and their bytes. */
    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

    /** Collects all garbage of the worker and looks. */
    static WorkerSize of(ConnectWorker worker) {
        JmxReader jmx = worker.jmx();
        // The histogram is of live objects only, so the JVM collects before it counts, whatever System.gc() does there.
        long live = liveBytes(jmx.diagnostic("gcClassHistogram"));
        int threads =
                (int) jmx.number("java.lang:type=Threading", "ThreadCount").orElseThrow();
        return new WorkerSize(live, threads);
    }

    static long liveBytes(String histogram) {
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IllegalArgumentException("no total in the class histogram");
        }
        return Long.parseLong(total.group(1));
    }
}
