package io.microbatch.connect.metrics;

import java.util.LinkedHashMap;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * The worker's own metrics of a plugin (KIP-877), which all of the worker's reporters show. The worker removes them
 * when the task has closed. Calls methods that workers before 4.1 do not have: this class is loaded on first use, where
 * the error is caught, and no signature of the task names it.
 */
final class WorkerSink implements MetricSink {

    private final PluginMetrics metrics;

    private WorkerSink(PluginMetrics metrics) {
        this.metrics = metrics;
    }

    /** A task's sink; null where the worker has no metrics for it; throws a LinkageError on a worker before 4.1. */
    static MetricSink of(SourceTaskContext context) {
        PluginMetrics metrics = context.pluginMetrics();
        return metrics == null ? null : new WorkerSink(metrics);
    }

    @Override
    public void add(Metric metric, String tagValue, DoubleSupplier value) {
        LinkedHashMap<String, String> tags = new LinkedHashMap<>();
        if (!metric.tag().isEmpty()) {
            tags.put(metric.tag(), tagValue);
        }
        Gauge<Double> gauge = (config, nowMs) -> value.getAsDouble();
        metrics.addMetric(metrics.metricName(metric.label(), metric.description(), tags), gauge);
    }
}
