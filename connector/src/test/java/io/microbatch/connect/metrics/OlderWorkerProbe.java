package io.microbatch.connect.metrics;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.connect.source.SourceTaskContext;

/** Publishes metrics on the worker version that its class loader simulates, and reads an MBean back. */
public final class OlderWorkerProbe implements Callable<Object> {

    @Override
    public Object call() throws JMException {
        SourceTaskContext context = (SourceTaskContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SourceTaskContext.class},
                (proxy, method, arguments) -> null);
        TaskMetrics metrics = TaskMetrics.publish(context, "older", 0, sink -> MetricValues.addEach(sink, 11));
        try {
            return ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(new ObjectName("kafka.connect:type=plugins,connector=older,task=0"), "event-total");
        } finally {
            metrics.close();
        }
    }
}
