package io.microbatch.bench.advise;

import io.microbatch.bench.load.Medians;
import io.microbatch.connect.console.AdviceLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a stream showed with one setting. Immutable. A stream that was not carried has no latencies: they would say how
 * long the run was.
 *
 * @param carried whether events came as fast as they were due
 * @param p50Ms end to end, from when an event was due
 * @param p99Ms the same
 * @param tps committed transactions a second
 * @param cores processors of worker and brokers
 */
record Outcome(boolean carried, double p50Ms, double p99Ms, double tps, double cores) {

    /** What part of the events has to come for a rate to be carried. */
    private static final double CARRIED = 0.95;

    /**
     * What was seen of the events that were due in the measured part. One that did not come is slower than all that
     * came, and as old at least as it was when the bench read no more.
     *
     * @param micros the end-to-end latencies of those that came, in microseconds
     * @param due how many were due
     * @param ageMs how long ago each of them was due at least when the bench read no more
     */
    static Outcome of(Histogram micros, long due, long ageMs, double tps, double cores) {
        boolean carried = micros.getTotalCount() >= CARRIED * due;
        if (!carried) {
            return new Outcome(false, Double.NaN, Double.NaN, tps, cores);
        }
        Histogram all = micros.copy();
        long missing = due - micros.getTotalCount();
        if (missing > 0) {
            all.recordValueWithCount(Math.max(micros.getMaxValue(), ageMs * 1_000), missing);
        }
        return new Outcome(true, all.getValueAtPercentile(50) / 1e3, all.getValueAtPercentile(99) / 1e3, tps, cores);
    }

    /** The medians of several rounds. It was carried if it was so in most rounds. */
    static Outcome median(List<Outcome> rounds) {
        List<Outcome> carried = rounds.stream().filter(Outcome::carried).toList();
        if (carried.size() * 2 <= rounds.size()) {
            return new Outcome(
                    false,
                    Double.NaN,
                    Double.NaN,
                    Medians.of(rounds.stream().map(Outcome::tps).toList()),
                    Medians.of(rounds.stream().map(Outcome::cores).toList()));
        }
        return new Outcome(
                true,
                Medians.of(carried.stream().map(Outcome::p50Ms).toList()),
                Medians.of(carried.stream().map(Outcome::p99Ms).toList()),
                Medians.of(carried.stream().map(Outcome::tps).toList()),
                Medians.of(carried.stream().map(Outcome::cores).toList()));
    }

    /** Whether it keeps a goal for the p99. */
    boolean keeps(double goalMs) {
        return carried && p99Ms <= goalMs * AdviceLimits.TOLERANCE;
    }

    /**
     * How many times as bad it is as another one, 1 for no worse. Where both keep the goal, by processor time beyond
     * what is worth a change. Where one of them does, by how far the other one is from it. Where none does, by the p99.
     * Infinite if it does not carry the stream and the other one does.
     */
    double timesAsBadAs(Outcome other, double goalMs) {
        if (!carried || !other.carried) {
            return carried || !other.carried ? 1 : Double.POSITIVE_INFINITY;
        }
        double byCpu = Math.max(1, (cores - AdviceLimits.WORTH_CORES) / other.cores);
        if (other.keeps(goalMs)) {
            return keeps(goalMs) ? byCpu : Math.max(byCpu, p99Ms / goalMs);
        }
        return keeps(goalMs) ? 1 : Math.max(1, p99Ms / other.p99Ms);
    }

    /** The figures, in the form of result files. Null for what is not known. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("carried", carried);
        json.put("p50_ms", number(p50Ms));
        json.put("p99_ms", number(p99Ms));
        json.put("tps", number(tps));
        json.put("cores", number(cores));
        return json;
    }

    /** JSON has no number that is not finite. */
    static Double number(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }
}
