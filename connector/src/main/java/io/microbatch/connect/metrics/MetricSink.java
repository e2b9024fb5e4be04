package io.microbatch.connect.metrics;

import java.util.function.DoubleSupplier;

/** Publishes metrics. Task thread. */
@FunctionalInterface
public interface MetricSink {

    /**
     * Publishes a metric.
     *
     * @param tagValue the value of the metric's tag; empty if it has no tag
     * @param value read from any thread
     */
    void add(Metric metric, String tagValue, DoubleSupplier value);

    /** Publishes a metric without a tag. */
    default void add(Metric metric, DoubleSupplier value) {
        add(metric, "", value);
    }
}
