package io.microbatch.connect.upstream.hosted;

import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * The context of a hosted connector: that of the connector that hosts it. A request for new tasks also outdates an
 * answer that the worker still waits for. Any thread, as with Connect's own context.
 */
final class HostedConnectorContext implements SourceConnectorContext {

    private final SourceConnectorContext outer;
    private final TaskConfigsQuestion question;
    private final HostedMetrics metrics = new HostedMetrics();

    HostedConnectorContext(SourceConnectorContext outer, TaskConfigsQuestion question) {
        this.outer = outer;
        this.question = question;
    }

    @Override
    public void requestTaskReconfiguration() {
        // First, because the worker may ask immediately.
        question.outdate();
        question.whileRequested(outer::requestTaskReconfiguration);
    }

    @Override
    public void raiseError(Exception error) {
        outer.raiseError(error);
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
        return outer.offsetStorageReader();
    }

    @Override
    public PluginMetrics pluginMetrics() {
        return metrics.over(outer.pluginMetrics());
    }

    /** The connector has stopped. The next one gets another context over the same one of the worker. */
    void removeMetrics() {
        metrics.removeAll();
    }
}
