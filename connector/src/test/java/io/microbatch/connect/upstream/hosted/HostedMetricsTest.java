package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleTask;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.metrics.stats.Value;
import org.apache.kafka.connect.connector.ConnectorContext;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The worker's plugin metrics, in a context that several hosted instances have one after the other. */
class HostedMetricsTest {

    private static final Map<String, String> CONFIG = Map.of(
            "name",
            "orders",
            HostedConfig.CLASS_CONFIG,
            MeteredConnector.class.getName(),
            HostedConfig.TASK_CLASS,
            MeteredTask.class.getName());

    private static boolean failing;

    private final Metrics registry = new Metrics();
    private final PluginMetricsImpl worker = new PluginMetricsImpl(registry, Map.of("connector", "orders"));
    private final int metricsBefore = registry.metrics().size();

    @AfterEach
    void closeTheRegistry() {
        failing = false;
        registry.close();
    }

    private static void addTo(PluginMetrics metrics) {
        MetricName depth = metrics.metricName("depth", "", new LinkedHashMap<>());
        metrics.addMetric(depth, (Gauge<Double>) (config, nowMs) -> 1.0);
        boolean added =
                metrics.addSensor("reads").add(metrics.metricName("reads", "", new LinkedHashMap<>()), new Value());
        assertThat(added).isTrue();
    }

    /** A connector that adds metrics when it gets its context. */
    public static final class MeteredConnector extends SourceConnector {

        /** Called by reflection. */
        public MeteredConnector() {}

        @Override
        public void initialize(ConnectorContext context) {
            super.initialize(context);
            addTo(context().pluginMetrics());
        }

        @Override
        public void start(Map<String, String> properties) {
            assertThat(properties).isNotEmpty();
        }

        @Override
        public Class<? extends Task> taskClass() {
            return MeteredTask.class;
        }

        @Override
        public List<Map<String, String>> taskConfigs(int maxTasks) {
            return List.of(Map.of());
        }

        @Override
        public void stop() {
            if (failing) {
                throw new IllegalStateException("for a test");
            }
        }

        @Override
        public ConfigDef config() {
            return new ConfigDef();
        }

        @Override
        public String version() {
            return "1";
        }
    }

    /** A task that adds metrics when it starts. */
    public static final class MeteredTask extends SampleTask {

        /** Called by reflection. */
        public MeteredTask() {}

        @Override
        public void start(Map<String, String> properties) {
            addTo(context.pluginMetrics());
            if (failing) {
                throw new RetriableException("the predecessor holds the slot");
            }
        }
    }

    private record ConnectorsContext(PluginMetrics pluginMetrics) implements SourceConnectorContext {
        @Override
        public void requestTaskReconfiguration() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void raiseError(Exception error) {
            throw new UnsupportedOperationException(error);
        }

        @Override
        public OffsetStorageReader offsetStorageReader() {
            return null;
        }
    }

    private record TasksContext(PluginMetrics pluginMetrics) implements SourceTaskContext {
        @Override
        public Map<String, String> configs() {
            return CONFIG;
        }

        @Override
        public OffsetStorageReader offsetStorageReader() {
            return null;
        }
    }

    private int added() {
        return registry.metrics().size() - metricsBefore;
    }

    /** Connect keeps the context, and the plain connector its instance. Here a new instance is started. */
    @Test
    void aConnectorAddsItsMetricsAgainAfterAPause() {
        SourceConnectorContext context = new ConnectorsContext(worker);
        HostedUpstream paused = new HostedUpstream();
        paused.start(CONFIG, context);
        assertThat(added()).isEqualTo(2);
        paused.stop();
        assertThat(added()).isZero();

        HostedUpstream resumed = new HostedUpstream();
        assertThatCode(() -> resumed.start(CONFIG, context)).doesNotThrowAnyException();
        failing = true;
        assertThatThrownBy(resumed::stop).isInstanceOf(IllegalStateException.class);
        assertThat(added()).as("after a stop that failed").isZero();
    }

    @Test
    void aTaskAddsItsMetricsAgainWhenItsStartIsRetried() {
        HostedReader reader = new HostedReader(CONFIG, new TasksContext(worker), new AtomicReference<>(), () -> 0);
        failing = true;
        assertThatThrownBy(reader::start).isInstanceOf(RetriableException.class);
        reader.stop();
        failing = false;
        assertThatCode(reader::start).doesNotThrowAnyException();
        assertThat(added()).isEqualTo(2);
        reader.stop();
        assertThat(added()).isZero();
    }

    @Test
    void aTaskMayRemoveItsMetricsItself() {
        HostedTaskContext context = new HostedTaskContext(new TasksContext(worker), CONFIG, new AtomicReference<>());
        PluginMetrics metrics = context.pluginMetrics();
        assertThat(context.pluginMetrics()).isSameAs(metrics);
        addTo(metrics);
        metrics.removeSensor("reads");
        metrics.removeMetric(metrics.metricName("depth", "", new LinkedHashMap<>()));
        assertThat(added()).isZero();
        context.removeMetrics();
        assertThatThrownBy(() -> addTo(metrics)).isInstanceOf(IllegalStateException.class);
        assertThat(added()).as("a stopped task adds none").isZero();
        assertThat(context.pluginMetrics()).as("the next instance").isNotSameAs(metrics);
    }

    /** Connect closes its metrics although an abandoned task has not stopped. */
    @Test
    void aTaskMayStopAfterItsContextIsClosed() throws Exception {
        HostedReader reader = new HostedReader(CONFIG, new TasksContext(worker), new AtomicReference<>(), () -> 0);
        reader.start();
        worker.close();
        assertThatCode(reader::stop).doesNotThrowAnyException();
    }
}
