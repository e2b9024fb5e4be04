package io.microbatch.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.poll.FlushReason;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On the platform's server, where an operator's JMX client looks. */
class JmxSinkTest {

    private static final String TASK = "kafka.connect:type=plugins,connector=jmx-test,task=3";
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private final JmxSink sink = new JmxSink(SERVER, "jmx-test", 3);

    @AfterEach
    void nothingIsLeft() throws JMException {
        sink.close();
        assertThat(SERVER.queryNames(new ObjectName(TASK + ",*"), null)).isEmpty();
        assertThat(SERVER.isRegistered(new ObjectName(TASK))).isFalse();
    }

    private static Object read(String name, String attribute) throws JMException {
        return SERVER.getAttribute(new ObjectName(name), attribute);
    }

    @Test
    void showsEveryMetricOfTheCatalogue() throws JMException {
        MetricCatalogue.register(StillView.of(7), sink);

        assertThat(read(TASK, "event-total")).isEqualTo(7.0);
        assertThat(read(TASK, "upstream-lag-ms")).isEqualTo(7.0);
        assertThat(read(TASK + ",reason=quiet", "flush-total")).isEqualTo(7.0 + FlushReason.QUIET.ordinal());
        assertThat(read(TASK + ",stripe=1", "stripe-remaining-events")).isEqualTo(4.0);
        assertThat(read(TASK + ",stripe=0", "reader-blocked-ms-total")).isEqualTo(7.0);

        assertThat(SERVER.queryNames(new ObjectName(TASK + ",reason=*"), null))
                .as("in the worker's own order, which rules of exporters go by")
                .allMatch(name ->
                        name.getKeyPropertyListString().startsWith("type=plugins,connector=jmx-test,task=3,reason="));

        Set<String> shown = new TreeSet<>();
        for (ObjectName name : SERVER.queryNames(new ObjectName(TASK + ",*"), null)) {
            Arrays.stream(SERVER.getMBeanInfo(name).getAttributes())
                    .map(MBeanAttributeInfo::getName)
                    .forEach(shown::add);
        }
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(MetricCatalogue.definitions().stream()
                        .map(MetricDefinition::name)
                        .toList());
    }

    @Test
    void theNewerTaskWinsAndItsPredecessorTakesNothingFromIt() throws JMException {
        JmxSink successor = new JmxSink(SERVER, "jmx-test", 3);
        sink.add(TaskMetric.EVENT_TOTAL.definition(), Map.of(), () -> 1);
        successor.add(TaskMetric.EVENT_TOTAL.definition(), Map.of(), () -> 2);
        assertThat(read(TASK, "event-total")).isEqualTo(2.0);
        sink.close();
        assertThat(read(TASK, "event-total")).isEqualTo(2.0);
        successor.close();
    }

    @Test
    void quotesANameThatJmxWouldNotTake() throws JMException {
        JmxSink odd = new JmxSink(SERVER, "a,b=\"c\"*", 0);
        odd.add(TaskMetric.EVENT_TOTAL.definition(), Map.of(), () -> 1);
        assertThat(SERVER.queryNames(new ObjectName("kafka.connect:type=plugins,task=0,*"), null))
                .hasSize(1);
        odd.close();
    }
}
