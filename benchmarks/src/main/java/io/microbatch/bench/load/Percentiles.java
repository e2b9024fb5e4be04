package io.microbatch.bench.load;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * Percentiles of one latency, in milliseconds. Not a number where nothing was measured. Immutable; any thread.
 *
 * @param p50Ms the median
 * @param p95Ms the 95th percentile
 * @param p99Ms the 99th percentile
 */
public record Percentiles(double p50Ms, double p95Ms, double p99Ms) {

    /** Of a rate that is not carried: the latency grows as long as the load lasts. */
    public static final Percentiles ENDLESS =
            new Percentiles(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** Asks for each percentile, from 0 to 100. */
    public static Percentiles of(DoubleUnaryOperator msOfPercentile) {
        return new Percentiles(
                msOfPercentile.applyAsDouble(50), msOfPercentile.applyAsDouble(95), msOfPercentile.applyAsDouble(99));
    }

    /** Adds them to the figures of a result, under keys such as {@code p99_ms_1000}. */
    public void addTo(Map<String, Double> figures, int ratePerSec) {
        figures.put("p50_ms_" + ratePerSec, p50Ms);
        figures.put("p95_ms_" + ratePerSec, p95Ms);
        figures.put("p99_ms_" + ratePerSec, p99Ms);
    }
}
