package io.microbatch.connect.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Sanitizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers MBeans under the names that a worker from 4.1 on gives to plugin metrics, so that dashboards work with
 * every worker: one MBean for the task and one for each value of a tag.
 */
final class JmxSink implements MetricSink, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(JmxSink.class);

    private final MBeanServer server;
    private final String taskName;

    /** The MBeans by the end of their names: the tag and its value. */
    private final Map<String, GaugeBean> beans = new HashMap<>();

    JmxSink(MBeanServer server, String connector, int task) {
        this.server = server;
        this.taskName = "kafka.connect:type=plugins,connector=" + Sanitizer.jmxSanitize(connector) + ",task=" + task;
    }

    @Override
    public void add(MetricName metric, String tagValue, DoubleSupplier value) {
        String tag = metric.tag().isEmpty() ? "" : "," + metric.tag() + "=" + tagValue;
        GaugeBean bean = beans.get(tag);
        if (bean == null) {
            bean = new GaugeBean(name(tag));
            beans.put(tag, bean);
            register(bean);
        }
        bean.add(metric, value);
    }

    private ObjectName name(String tag) {
        try {
            return new ObjectName(taskName + tag);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Replaces the MBean of an abandoned predecessor. */
    private void register(GaugeBean bean) {
        try {
            try {
                server.registerMBean(bean, bean.name());
            } catch (InstanceAlreadyExistsException e) {
                log.info("{} is taken over from a predecessor that has not ended yet", bean.name());
                server.unregisterMBean(bean.name());
                server.registerMBean(bean, bean.name());
            }
        } catch (JMException e) {
            throw new IllegalStateException("cannot register " + bean.name(), e);
        }
    }

    @Override
    public void close() {
        for (GaugeBean bean : beans.values()) {
            if (bean.isRegistered()) {
                try {
                    server.unregisterMBean(bean.name());
                } catch (JMException e) {
                    log.debug("{} is already unregistered", bean.name(), e);
                }
            }
        }
    }
}
