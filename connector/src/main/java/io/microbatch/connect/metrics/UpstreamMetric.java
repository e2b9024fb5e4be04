package io.microbatch.connect.metrics;

import java.util.function.DoubleSupplier;

/** A metric that only one upstream has. The upstream's reader provides its figures. Constant; any thread. */
public interface UpstreamMetric extends MetricName {

    /** The value for two readers of one task: their sum. A metric that is not a count, such as a time, overrides it. */
    default double joined(double one, double other) {
        return one + other;
    }

    /**
     * The value of a metric in one reader.
     *
     * @param metric the metric
     * @param tagValue the value of the metric's tag; empty without a tag
     * @param value the present value; any thread, at any time, after the stop of the reader too
     */
    record Figure(UpstreamMetric metric, String tagValue, DoubleSupplier value) {}
}
