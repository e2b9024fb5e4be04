package io.microbatch.connect.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * The worker's own metrics of a plugin (KIP-877), which all of its reporters show. Calls what workers before
 * 4.1 do not have: it is loaded on first use, where that is caught, and no signature of the task names it.
 */
final class WorkerSink implements MetricSink {

    private final PluginMetrics metrics;

    private WorkerSink(PluginMetrics metrics) {
        this.metrics = metrics;
    }

    /** That of a task; throws a LinkageError on a worker that knows nothing of it, and answers null where it has none. */
    static MetricSink of(SourceTaskContext context) {
        PluginMetrics metrics = context.pluginMetrics();
        return metrics == null ? null : new WorkerSink(metrics);
    }

    @Override
    public void add(MetricDefinition definition, Map<String, String> tags, DoubleSupplier value) {
        Gauge<Double> gauge = (config, nowMs) -> value.getAsDouble();
        metrics.addMetric(
                metrics.metricName(definition.name(), definition.description(), new LinkedHashMap<>(tags)), gauge);
    }

    @Override
    public void close() {
        // The worker removes them when the task has closed.
    }
}
