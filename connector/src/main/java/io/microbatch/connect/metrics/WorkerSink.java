package io.microbatch.connect.metrics;

import java.util.LinkedHashMap;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * Adds metrics to the worker's plugin metrics (KIP-877), which all reporters of the worker publish. The worker removes
 * them when the task has closed. This class calls methods that workers before 4.1 lack, so that it is loaded only on
 * first use, where the error is caught.
 */
final class WorkerSink implements MetricSink {

    private final PluginMetrics metrics;

    private WorkerSink(PluginMetrics metrics) {
        this.metrics = metrics;
    }

    /** The sink of a task. Null if the worker has no metrics for it. Throws LinkageError on a worker before 4.1. */
    static MetricSink of(SourceTaskContext context) {
        PluginMetrics metrics = context.pluginMetrics();
        return metrics == null ? null : new WorkerSink(metrics);
    }

    @Override
    public void add(MetricName metric, String tagValue, DoubleSupplier value) {
        LinkedHashMap<String, String> tags = new LinkedHashMap<>();
        if (!metric.tag().isEmpty()) {
            tags.put(metric.tag(), tagValue);
        }
        Gauge<Double> gauge = (config, nowMs) -> value.getAsDouble();
        metrics.addMetric(metrics.metricName(metric.label(), metric.description(), tags), gauge);
    }
}
