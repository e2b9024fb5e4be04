package io.microbatch.connect.upstream.hosted;

import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * What a hosted connector sees of Connect: the context of the connector that hosts it. A request for new tasks also
 * outdates an answer that the worker still waits for. Any thread, as Connect's own.
 */
final class HostedConnectorContext implements SourceConnectorContext {

    private final SourceConnectorContext outer;
    private final TaskConfigsQuestion question;

    HostedConnectorContext(SourceConnectorContext outer, TaskConfigsQuestion question) {
        this.outer = outer;
        this.question = question;
    }

    @Override
    public void requestTaskReconfiguration() {
        // First, because the worker may ask at once.
        question.outdate();
        outer.requestTaskReconfiguration();
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
        return outer.pluginMetrics();
    }
}
