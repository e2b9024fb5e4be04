package io.microbatch.connect.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.DoubleSupplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanRegistration;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** An MBean whose attributes are gauges. Any thread. */
final class GaugeBean implements DynamicMBean, MBeanRegistration {

    private record Gauge(MetricName metric, DoubleSupplier value) {}

    private final ObjectName name;
    private final Map<String, Gauge> gauges = new ConcurrentSkipListMap<>();

    /** False again after a successor has taken the name. */
    private volatile boolean registered;

    GaugeBean(ObjectName name) {
        this.name = name;
    }

    ObjectName name() {
        return name;
    }

    boolean isRegistered() {
        return registered;
    }

    void add(MetricName metric, DoubleSupplier value) {
        gauges.put(metric.label(), new Gauge(metric, value));
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        Gauge gauge = gauges.get(attribute);
        if (gauge == null) {
            throw new AttributeNotFoundException(attribute);
        }
        return gauge.value().getAsDouble();
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        AttributeList list = new AttributeList();
        for (String attribute : attributes) {
            Gauge gauge = gauges.get(attribute);
            if (gauge != null) {
                list.add(new Attribute(attribute, gauge.value().getAsDouble()));
            }
        }
        return list;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = gauges.values().stream()
                .map(gauge -> new MBeanAttributeInfo(
                        gauge.metric().label(),
                        double.class.getName(),
                        gauge.metric().description(),
                        true,
                        false,
                        false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(getClass().getName(), "", attributes, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("the metrics are read-only");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature) {
        throw new UnsupportedOperationException("this MBean has no operations");
    }

    @Override
    public ObjectName preRegister(MBeanServer server, ObjectName wanted) {
        return wanted;
    }

    @Override
    public void postRegister(Boolean done) {
        registered = done;
    }

    @Override
    public void preDeregister() {
        // Nothing depends on the registration.
    }

    @Override
    public void postDeregister() {
        registered = false;
    }
}
