package io.microbatch.bench.load;

import io.microbatch.testbed.oracle.Findings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * @param workerCpuSecPerMillionByPart the worker's by what its threads do; empty if it was another process in the end
 * @param problem why it did not come to its end; empty if it did
 * @param cut whether the limit ended it, and all that the source had committed by then was read as promised. Such a run
 *     is not verified, because the rest of its events was never sent, and shows no fault: {@link #isSound}
 */
public record LoadResult(
        Promise promise,
        List<Reading> readings,
        Windows windows,
        double workerCpuSecPerMillion,
        double brokerCpuSecPerMillion,
        Map<ThreadClock.Part, Double> workerCpuSecPerMillionByPart,
        String problem,
        boolean cut) {

    /** What part of a rate has to come for it to be carried. */
    private static final double CARRIED = 0.95;

    /** A run that no limit ended, and that is not told apart by threads. */
    public LoadResult(
            Promise promise,
            List<Reading> readings,
            Windows windows,
            double workerCpuSecPerMillion,
            double brokerCpuSecPerMillion,
            String problem) {
        this(promise, readings, windows, workerCpuSecPerMillion, brokerCpuSecPerMillion, Map.of(), problem, false);
    }

    /** As promised, for every group, and to the end. */
    public boolean isVerified() {
        return problem.isEmpty() && readings.stream().allMatch(reading -> promise.isKeptBy(reading.findings()));
    }

    /**
     * Whether the run is a result: it was verified, or it is that of a stock contender that the limit ended, and all
     * that it had committed came once and in order. Such a contender did not keep up. A run of this project's connector
     * that did not end may hang.
     *
     * @param stock whether a stock contender made the events
     */
    public boolean isSound(boolean stock) {
        return isVerified() || (stock && cut);
    }

    /** The first group's. */
    public Reading first() {
        return readings.get(0);
    }

    /**
     * Events per second of the measured part, as the first group got them. Of all events where the limit ended the run,
     * which may not have come to its measured part.
     */
    public double perSec() {
        return cut ? first().arrivedPerSec() : first().perSec();
    }

    /**
     * Whether events came as fast as they were due. Where they did not, a latency says how long the run was. A run that
     * the limit ended carried no rate.
     */
    public boolean carried(int perSec) {
        return carried(perSec, 0);
    }

    /**
     * The same for a contender that commits by the clock. The first event of the measured part may come just before a
     * commit and the last one just after, so that the events come over a time that is longer by the interval.
     */
    public boolean carried(int perSec, int intervalMs) {
        long measured = first().measured();
        double seconds = measured / perSec() - intervalMs / 1_000.0;
        return !cut && measured > 1 && measured >= CARRIED * perSec * seconds;
    }

    /** {@link #perSec} from when the first event was due, for few events that may all arrive at once. */
    public double perSecSinceDue() {
        return cut ? first().arrivedPerSec() : first().perSecSinceDue();
    }

    /** A rate of events in megabytes (10^6 bytes of values) per second. */
    public double mbPerSec(double eventsPerSec) {
        return eventsPerSec * first().meanBytes() / 1e6;
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

    /** The same without the events that were never sent because the limit ended the run. */
    public Findings sent() {
        Findings all = findings();
        return cut
                ? new Findings(
                        all.events() - all.lost(),
                        0,
                        0,
                        all.duplicated(),
                        all.reordered(),
                        all.phantom(),
                        all.corrupt(),
                        all.windowEvents(),
                        all.windowMs(),
                        List.of())
                : all;
    }

    /** The same in words, with what kept the run from its end. */
    public String text() {
        return findings() + (problem.isEmpty() ? "" : ", " + problem);
    }

    /** Says what was found if it is not as promised, and what a stock contender carried that the limit ended. */
    void printIfNotVerified(LoadSpec spec, PrintWriter out) {
        if (!isSound(spec.isStock())) {
            out.println("  " + spec.topic() + ": NOT VERIFIED: " + text());
        } else if (cut) {
            String wanted = spec.rate().equals(LoadSpec.UNLIMITED) ? "" : " of " + spec.rate();
            out.println(String.format(
                    Locale.ROOT,
                    "  %s, %s: collapsed: carried %,.1f%s events/s; %d of %d events not sent within %d s",
                    spec.topic(),
                    spec.connector(),
                    perSec(),
                    wanted,
                    findings().lost(),
                    findings().events(),
                    spec.limitSeconds()));
        }
        out.flush();
    }
}
