package io.microbatch.connect.metrics;

import java.lang.management.ManagementFactory;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a task's metrics until it is closed: through the worker where it has metrics for plugins (4.1 and later, KIP-877),
 * and as MBeans of the same names where it has not. Task thread.
 */
public final class TaskMetrics implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TaskMetrics.class);

    private final MetricSink sink;

    private TaskMetrics(MetricSink sink) {
        this.sink = sink;
    }

    /** Registers every metric; a task that cannot have metrics runs without them and says so once. */
    public static TaskMetrics publish(SourceTaskContext context, String connector, int task, TaskView view) {
        MetricSink sink = sinkOf(context, connector, task);
        try {
            MetricCatalogue.register(view, sink);
        } catch (RuntimeException e) {
            // A predecessor that Connect gave up waiting for still holds the names until it ends.
            log.warn("The metrics of this task could not be registered; it runs without them", e);
        }
        return new TaskMetrics(sink);
    }

    private static MetricSink sinkOf(SourceTaskContext context, String connector, int task) {
        MetricSink worker = null;
        try {
            worker = WorkerSink.of(context);
        } catch (LinkageError e) {
            log.debug("This worker is older than 4.1", e);
        }
        return worker != null ? worker : new JmxSink(ManagementFactory.getPlatformMBeanServer(), connector, task);
    }

    @Override
    public void close() {
        sink.close();
    }
}
