package io.microbatch.bench.load;

import io.microbatch.testbed.oracle.Findings;
import java.io.PrintWriter;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a run showed. Latencies are end to end, from when an event was due to the consumer's having it.
 *
 * @param promise what it may show
 * @param readings what each consumer group read; there is one at least
 * @param windows the task's own observations in the measured part; none for another connector
 * @param workerCpuSecPerMillion CPU seconds of the worker per million events; not a number if it was another process in
 *     the end
 * @param brokerCpuSecPerMillion the same of all brokers
 * @param problem why it did not come to its end; empty if it did
 * @param cut whether the limit ended it, and all that the source had committed by then was read as promised. Such a run
 *     is not verified, because the rest of its events was never sent, and shows no fault
 */
public record LoadResult(
        Promise promise,
        List<Reading> readings,
        Windows windows,
        double workerCpuSecPerMillion,
        double brokerCpuSecPerMillion,
        String problem,
        boolean cut) {

    /** A run that no limit ended. */
    public LoadResult(
            Promise promise,
            List<Reading> readings,
            Windows windows,
            double workerCpuSecPerMillion,
            double brokerCpuSecPerMillion,
            String problem) {
        this(promise, readings, windows, workerCpuSecPerMillion, brokerCpuSecPerMillion, problem, false);
    }

    /** As promised, for every group, and to the end. */
    public boolean isVerified() {
        return problem.isEmpty() && readings.stream().allMatch(reading -> promise.isKeptBy(reading.findings()));
    }

    /** The first group's. */
    public Reading first() {
        return readings.get(0);
    }

    /** Events per second of the measured part, as the first group got them. */
    public double perSec() {
        return first().perSec();
    }

    /** The same from when its first event was due, for few events that may all arrive at once. */
    public double perSecSinceDue() {
        return first().perSecSinceDue();
    }

    /** End-to-end latency of the measured part over all groups, in milliseconds. */
    public double p(double percentile) {
        Histogram all = new Histogram(first().micros());
        readings.forEach(reading -> all.add(reading.micros()));
        return all.getValueAtPercentile(percentile) / 1_000.0;
    }

    /** What was found, over all groups. */
    public Findings findings() {
        return readings.stream().map(Reading::findings).reduce(Findings.NONE, Findings::plus);
    }

    /** The same in words, with what kept the run from its end. */
    public String text() {
        return findings() + (problem.isEmpty() ? "" : ", " + problem);
    }

    /** Says what was found if it is not as promised. */
    void printIfNotVerified(String run, PrintWriter out) {
        if (!isVerified()) {
            out.println("  " + run + ": NOT VERIFIED: " + text());
            out.flush();
        }
    }
}
