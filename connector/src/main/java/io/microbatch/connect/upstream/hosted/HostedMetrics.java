package io.microbatch.connect.upstream.hosted;

import org.apache.kafka.common.metrics.PluginMetrics;

/**
 * The plugin metrics (KIP-877) of the hosted instances that have one context, one after the other. What an instance has
 * added is removed when it has stopped: the next one may add the same names, which a worker refuses twice. Any thread.
 *
 * <p>A worker before 4.1 has no such metrics, and lacks their classes. So this class only passes them on, and {@link
 * InstanceMetrics} is loaded on first use.
 */
final class HostedMetrics {

    /** Null while no instance has asked for metrics. Guarded by this object. */
    private PluginMetrics current;

    /** The metrics of the present instance. Null if the worker has none. */
    synchronized PluginMetrics over(PluginMetrics worker) {
        if (current == null && worker != null) {
            current = InstanceMetrics.over(worker);
        }
        return current;
    }

    /** Removes what the present instance has added. It adds no more, and the next one gets metrics of its own. */
    synchronized void removeAll() {
        PluginMetrics stopped = current;
        current = null;
        if (stopped != null) {
            InstanceMetrics.removeAll(stopped);
        }
    }
}
