package io.microbatch.bench.load;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a run showed. Latencies are end to end, from when an event was due to the consumer's having it.
 *
 * @param check lost, duplicated, reordered
 * @param perSec events per second of the measured part, as the consumer got them
 * @param perSecSinceDue the same from when its first event was due, for few events that may all arrive at once
 * @param micros end-to-end latencies of the measured part, in microseconds
 * @param timeline for each slice of a tenth of a second, by when events were due, the same
 * @param windows the task's own observations in the measured part; none for another connector
 * @param workerCpuSecPerMillion CPU seconds of the worker per million events
 * @param brokerCpuSecPerMillion the same of all brokers
 * @param problem why it did not come to its end; empty if it did
 */
public record LoadResult(
        SequenceCheck check,
        double perSec,
        double perSecSinceDue,
        Histogram micros,
        Timeline timeline,
        Windows windows,
        double workerCpuSecPerMillion,
        double brokerCpuSecPerMillion,
        String problem) {

    /** Every event, once, in order, and to the end. */
    public boolean isVerified() {
        return problem.isEmpty() && check.isVerified();
    }

    /** End-to-end latency, in milliseconds. */
    public double p(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1_000.0;
    }

    /** What was found, in words. */
    public String findings() {
        return String.format(
                Locale.ROOT,
                "lost %d, duplicated %d, reordered %d%s",
                check.lost(),
                check.duplicated(),
                check.reordered(),
                problem.isEmpty() ? "" : ", " + problem);
    }
}
