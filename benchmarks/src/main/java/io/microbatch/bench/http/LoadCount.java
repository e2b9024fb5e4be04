package io.microbatch.bench.http;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts the requests of a load as they end. One thread. */
final class LoadCount {

    private static final long HIGHEST_MICROS = 600_000_000L;

    private final long fromNanos;
    private final long toNanos;
    private final Histogram micros = new Histogram(HIGHEST_MICROS, 3);
    private final Histogram sentMicros = new Histogram(HIGHEST_MICROS, 3);
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final long[] outcomes = new long[Outcome.values().length];
    private long answeredInTime;
    private long unsent;
    private long hung;
    private long reconnects;

    /** The measured part is between these two times of {@link System#nanoTime}. */
    LoadCount(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    /** A request has ended. The status 0 is a connection that ended before its answer. */
    void ended(Outcome outcome, int status, long dueNanos, long sentNanos, long nowNanos) {
        if (outcome == Outcome.WRITTEN && isMeasured(nowNanos)) {
            answeredInTime++;
        }
        if (!isMeasured(sentNanos)) {
            return;
        }
        outcomes[outcome.ordinal()]++;
        long ignored = statuses.merge(status, 1L, Long::sum);
        if (outcome == Outcome.WRITTEN) {
            record(micros, nowNanos - dueNanos);
            record(sentMicros, nowNanos - sentNanos);
        }
    }

    /** A request was due at this time, and no connection was free for it. It is as old as at the end, at least. */
    void unsent(long dueNanos) {
        unsent++;
        record(micros, toNanos - dueNanos);
    }

    private static void record(Histogram latencies, long nanos) {
        latencies.recordValue(Math.max(0, Math.min(HIGHEST_MICROS, nanos / 1_000)));
    }

    private boolean isMeasured(long nanos) {
        return nanos - fromNanos >= 0 && nanos - toNanos < 0;
    }

    void hung() {
        hung++;
    }

    void reconnected() {
        reconnects++;
    }

    LoadFigures figures() {
        return new LoadFigures(
                (toNanos - fromNanos) / 1e9,
                answeredInTime,
                outcomes[Outcome.WRITTEN.ordinal()],
                outcomes[Outcome.NOT_WRITTEN.ordinal()],
                outcomes[Outcome.UNKNOWN.ordinal()],
                unsent,
                hung,
                reconnects,
                micros,
                sentMicros,
                statuses);
    }
}
