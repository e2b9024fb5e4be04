package io.microbatch.bench.cdc;

import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What one phase of the load came to.
 *
 * @param elapsedNanos from its start to its last commit, or for the last phase to the last event in Kafka
 * @param writeNanos from its start to its last commit
 * @param lateNanos how late its last transactions began
 * @param pressed the sample at its highest pressure
 * @param before the sample at its start
 * @param after the sample at its end
 * @param latencies of its rows, in microseconds
 */
record PhaseResult(
        LoadPhase phase,
        long elapsedNanos,
        long writeNanos,
        long lateNanos,
        MetricsSample pressed,
        MetricsSample before,
        MetricsSample after,
        Histogram latencies) {

    /** A phase missed its rate when its last transactions began this much too late. */
    private static final long LATE_NANOS = 250_000_000;

    double writtenPerSec() {
        // An open-loop phase lasts as long as planned, although its last row is written a little before that.
        return phase.rowCount() * 1e9 / Math.max(writeNanos, phase.plannedNanos());
    }

    boolean isLate() {
        return !phase.isBurst() && lateNanos > LATE_NANOS;
    }

    double p50Ms() {
        return latencies.getValueAtPercentile(50) / 1e3;
    }

    double p99Ms() {
        return latencies.getValueAtPercentile(99) / 1e3;
    }

    OptionalDouble batchEvents() {
        return after.batchEventsSince(before);
    }

    double transactionsPerSec() {
        return after.transactionsSince(before).orElse(0) * 1e9 / elapsedNanos;
    }
}
