package io.microbatch.connect.metrics;

import java.util.function.DoubleSupplier;

/** Publishes metrics. Task thread. */
@FunctionalInterface
public interface MetricSink {

    /** Publishes a metric. Any thread reads the value. The value of the tag is empty if the metric has no tag. */
    void add(MetricName metric, String tagValue, DoubleSupplier value);

    /** Publishes a metric without a tag. */
    default void add(MetricName metric, DoubleSupplier value) {
        add(metric, "", value);
    }
}
