package io.microbatch.connect.metrics;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a task's metrics until it is closed: through the worker where that has metrics for plugins (4.1 and later,
 * KIP-877), else as MBeans of the same names. Task thread.
 */
public final class TaskMetrics implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TaskMetrics.class);

    /** Null where the worker shows the metrics, and removes them. */
    private final JmxSink beans;

    private TaskMetrics(JmxSink beans) {
        this.beans = beans;
    }

    /**
     * Shows every metric that the stages add; a task that cannot have metrics runs without them and logs that once.
     *
     * @param stages adds the metrics of all stages to the sink
     */
    public static TaskMetrics publish(
            SourceTaskContext context, String connector, int task, Consumer<MetricSink> stages) {
        MetricSink worker = workerSink(context);
        JmxSink beans =
                worker != null ? null : new JmxSink(ManagementFactory.getPlatformMBeanServer(), connector, task);
        try {
            stages.accept(worker != null ? worker : beans);
        } catch (RuntimeException e) {
            // A predecessor that Connect gave up waiting for still holds the names until it ends.
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
