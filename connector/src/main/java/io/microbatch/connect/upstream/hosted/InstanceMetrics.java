package io.microbatch.connect.upstream.hosted;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Set;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker's metrics as one hosted instance has them. Remembers what the instance has added, to remove it. Afterwards
 * it refuses more, as the worker's own metrics do when they are closed. Any thread.
 */
final class InstanceMetrics implements PluginMetrics {

    private static final Logger log = LoggerFactory.getLogger(InstanceMetrics.class);

    private final PluginMetrics worker;
    private final Set<MetricName> metrics = new HashSet<>();
    private final Set<String> sensors = new HashSet<>();
    private boolean stopped;

    private InstanceMetrics(PluginMetrics worker) {
        this.worker = worker;
    }

    /** The type of the result is the older one, so that its callers load on a worker before 4.1. */
    static PluginMetrics over(PluginMetrics worker) {
        return new InstanceMetrics(worker);
    }

    /** Removes what an instance has added to these metrics, which are a result of {@link #over}. */
    static void removeAll(PluginMetrics metrics) {
        ((InstanceMetrics) metrics).removeAll();
    }

    @Override
    public synchronized MetricName metricName(String name, String description, LinkedHashMap<String, String> tags) {
        checkRunning();
        return worker.metricName(name, description, tags);
    }

    @Override
    public synchronized void addMetric(MetricName name, MetricValueProvider<?> value) {
        checkRunning();
        worker.addMetric(name, value);
        metrics.add(name);
    }

    @Override
    public synchronized void removeMetric(MetricName name) {
        checkRunning();
        worker.removeMetric(name);
        metrics.remove(name);
    }

    @Override
    public synchronized Sensor addSensor(String name) {
        checkRunning();
        Sensor sensor = worker.addSensor(name);
        sensors.add(name);
        return sensor;
    }

    @Override
    public synchronized void removeSensor(String name) {
        checkRunning();
        worker.removeSensor(name);
        sensors.remove(name);
    }

    private void checkRunning() {
        if (stopped) {
            throw new IllegalStateException("The hosted instance has stopped");
        }
    }

    private synchronized void removeAll() {
        stopped = true;
        sensors.forEach(sensor -> remove(() -> worker.removeSensor(sensor)));
        metrics.forEach(metric -> remove(() -> worker.removeMetric(metric)));
    }

    private static void remove(Runnable removal) {
        try {
            removal.run();
        } catch (RuntimeException e) {
            // The worker has removed them all if it no longer waits for this instance.
            log.debug("A metric of a hosted instance was not removed", e);
        }
    }
}
