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
 * MBeans under the very names that a worker from 4.1 on gives to plugin metrics, so that dashboards need not know the
 * worker's version. One for the task and one for each value of a tag.
 */
final class JmxSink implements MetricSink {

    private static final Logger log = LoggerFactory.getLogger(JmxSink.class);

    private final MBeanServer server;
    private final String taskName;
    private final Map<Map<String, String>, GaugeBean> beans = new HashMap<>();

    JmxSink(MBeanServer server, String connector, int task) {
        this.server = server;
        this.taskName = "kafka.connect:type=plugins,connector=" + Sanitizer.jmxSanitize(connector) + ",task=" + task;
    }

    @Override
    public void add(MetricDefinition definition, Map<String, String> tags, DoubleSupplier value) {
        GaugeBean bean = beans.get(tags);
        if (bean == null) {
            bean = new GaugeBean(name(tags));
            beans.put(tags, bean);
            register(bean);
        }
        bean.add(definition, value);
    }

    private ObjectName name(Map<String, String> tags) {
        StringBuilder name = new StringBuilder(taskName);
        tags.forEach((tag, value) -> name.append(',').append(tag).append('=').append(Sanitizer.jmxSanitize(value)));
        try {
            return new ObjectName(name.toString());
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The newer task wins: a predecessor that was left behind is no longer worth looking at. */
    private void register(GaugeBean bean) {
        try {
            try {
                server.registerMBean(bean, bean.name());
            } catch (InstanceAlreadyExistsException e) {
                log.info("{} belonged to a predecessor that has not ended yet", bean.name());
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
                    log.debug("{} is gone already", bean.name(), e);
                }
            }
        }
    }
}
