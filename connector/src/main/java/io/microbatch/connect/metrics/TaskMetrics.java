package io.microbatch.connect.metrics;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a task's metrics until it is closed. Workers from 4.1 on publish them as plugin metrics (KIP-877). On an
 * older worker they are MBeans of the same names. Task thread.
 */
public final class TaskMetrics implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TaskMetrics.class);

    /** Null if the worker publishes the metrics. The worker then also removes them. */
    private final JmxSink beans;

    private TaskMetrics(JmxSink beans) {
        this.beans = beans;
    }

    /** Publishes every metric that the stages add. If that fails, the task runs without metrics and logs this once. */
    public static TaskMetrics publish(
            SourceTaskContext context, String connector, int task, Consumer<MetricSink> stages) {
        MetricSink worker = workerSink(context);
        JmxSink beans =
                worker != null ? null : new JmxSink(ManagementFactory.getPlatformMBeanServer(), connector, task);
        try {
            stages.accept(worker != null ? worker : beans);
        } catch (RuntimeException e) {
            // An abandoned predecessor holds the names until it ends.
            log.warn("The metrics of this task could not be registered; it runs without them", e);
        }
        return new TaskMetrics(beans);
    }

    private static MetricSink workerSink(SourceTaskContext context) {
        try {
            return WorkerSink.of(context);
        } catch (LinkageError e) {
            log.debug("This worker is older than 4.1", e);
            return null;
        }
    }

    @Override
    public void close() {
        if (beans != null) {
            beans.close();
        }
    }
}
