package io.microbatch.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Registers on the platform's MBean server, which an operator's JMX client reads. */
class JmxSinkTest {

    private static final String TASK = "kafka.connect:type=plugins,connector=jmx-test,task=3";
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private final JmxSink sink = new JmxSink(SERVER, "jmx-test", 3);

    @AfterEach
    void assertNoMBeanRemains() throws JMException {
        sink.close();
        assertThat(SERVER.queryNames(new ObjectName(TASK + ",*"), null)).isEmpty();
        assertThat(SERVER.isRegistered(new ObjectName(TASK))).isFalse();
    }

    private static Object read(String name, String attribute) throws JMException {
        return SERVER.getAttribute(new ObjectName(name), attribute);
    }

    @Test
    void showsEveryMetricAndItsTag() throws JMException {
        MetricValues.addEach(sink, 7);

        assertThat(read(TASK, "event-total")).isEqualTo(7.0);
        assertThat(read(TASK, "upstream-lag-ms")).isEqualTo(7.0);
        assertThat(read(TASK + ",reason=1", "flush-total")).isEqualTo(7.0);
        assertThat(read(TASK + ",stripe=1", "stripe-remaining-events")).isEqualTo(7.0);

        assertThat(SERVER.queryNames(new ObjectName(TASK + ",reason=*"), null))
                .as("in the worker's own order, on which exporter rules rely")
                .allMatch(name ->
                        name.getKeyPropertyListString().startsWith("type=plugins,connector=jmx-test,task=3,reason="));

        Set<String> shown = new TreeSet<>();
        for (ObjectName name : SERVER.queryNames(new ObjectName(TASK + ",*"), null)) {
            Arrays.stream(SERVER.getMBeanInfo(name).getAttributes())
                    .map(MBeanAttributeInfo::getName)
                    .forEach(shown::add);
        }
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Metric.values()).map(Metric::label).toList());
    }

    @Test
    void keepsTheMBeansOfTheNewerTaskWhenItsPredecessorCloses() throws JMException {
        JmxSink successor = new JmxSink(SERVER, "jmx-test", 3);
        sink.add(Metric.EVENT_TOTAL, () -> 1);
        successor.add(Metric.EVENT_TOTAL, () -> 2);
        assertThat(read(TASK, "event-total")).isEqualTo(2.0);
        sink.close();
        assertThat(read(TASK, "event-total")).isEqualTo(2.0);
        successor.close();
    }

    @Test
    void quotesANameThatJmxRefuses() throws JMException {
        JmxSink odd = new JmxSink(SERVER, "a,b=\"c\"*", 0);
        odd.add(Metric.EVENT_TOTAL, () -> 1);
        assertThat(SERVER.queryNames(new ObjectName("kafka.connect:type=plugins,task=0,*"), null))
                .hasSize(1);
        odd.close();
    }
}
