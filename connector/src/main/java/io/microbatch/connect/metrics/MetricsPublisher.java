package io.microbatch.connect.metrics;

import java.util.LinkedHashMap;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a task's metrics through the worker (KIP-877). The worker removes them when the task has closed. Task
 * thread.
 */
public final class MetricsPublisher {

    private static final Logger log = LoggerFactory.getLogger(MetricsPublisher.class);

    private MetricsPublisher() {}

    /** Registers every metric; a task that cannot have metrics runs without them and says so once. */
    public static void publish(PluginMetrics metrics, TaskView view) {
        if (metrics == null) {
            log.info("This worker offers no plugin metrics; the task runs without them");
            return;
        }
        try {
            for (TaskMetric metric : TaskMetric.values()) {
                MetricName name = metrics.metricName(metric.metricName(), metric.description(), new LinkedHashMap<>());
                Gauge<Double> gauge = (config, nowMs) -> metric.of(view);
                metrics.addMetric(name, gauge);
            }
        } catch (RuntimeException e) {
            // A predecessor that Connect gave up waiting for still holds the names until it ends.
            log.warn("The metrics of this task could not be registered; it runs without them", e);
        }
    }
}
