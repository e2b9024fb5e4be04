package io.microbatch.connect.metrics;

import java.util.function.DoubleSupplier;

/** Shows metrics. Task thread. */
@FunctionalInterface
public interface MetricSink {

    /**
     * Shows a metric from now on.
     *
     * @param tagValue the value of the metric's tag; empty if it has no tag
     * @param value read from any thread
     */
    void add(Metric metric, String tagValue, DoubleSupplier value);

    /** Shows a metric without a tag from now on. */
    default void add(Metric metric, DoubleSupplier value) {
        add(metric, "", value);
    }
}
