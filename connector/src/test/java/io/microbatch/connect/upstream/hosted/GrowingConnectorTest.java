package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hosted connector that finds more tables while the worker waits for its task configurations. */
@Timeout(60)
class GrowingConnectorTest {

    private static final long GENEROUS_MS = 30_000;
    private static final String NOT_YET = "has not reported its tasks yet";

    private final WorkerContext worker = new WorkerContext();
    private final HostedUpstream upstream = new HostedUpstream(new TaskConfigsQuestion(1, GENEROUS_MS));

    @BeforeEach
    void start() {
        GrowingConnector.tables = 1;
        GrowingConnector.listed = new CountDownLatch(1);
        GrowingConnector.answers = new CountDownLatch(1);
        upstream.start(Map.of("name", "grows", HostedConfig.CLASS_CONFIG, GrowingConnector.class.getName()), worker);
    }

    @AfterEach
    void stop() {
        upstream.stop();
    }

    @Test
    void isAskedAgainIfItRequestsNewTasksDuringItsAnswer() throws InterruptedException {
        assertThatThrownBy(() -> upstream.taskConfigs(4)).hasMessageContaining(NOT_YET);
        GrowingConnector.listed.await();
        GrowingConnector.tables = 3;
        GrowingConnector.instance.found();
        GrowingConnector.answers.countDown();

        assertThat(worker.requests).as("the request reaches the worker").hasValue(1);
        assertThat(askUntilAnswered()).hasSize(3);
    }

    @Test
    void isNotAskedTwiceIfItIsOnlySlow() throws InterruptedException {
        GrowingConnector.instance.found();
        assertThatThrownBy(() -> upstream.taskConfigs(4)).hasMessageContaining(NOT_YET);
        GrowingConnector.listed.await();
        GrowingConnector.tables = 3;
        GrowingConnector.answers.countDown();

        assertThat(askUntilAnswered()).as("the answer of the slow call").hasSize(1);
    }

    /** Asks again as the worker does. */
    private List<Map<String, String>> askUntilAnswered() {
        while (true) {
            try {
                return upstream.taskConfigs(4);
            } catch (ConnectException e) {
                assertThat(e).hasMessageContaining(NOT_YET);
            }
        }
    }

    @Test
    void raisesItsErrorsInTheWorkerAndSeesTheWorkersOffsets() {
        IllegalStateException error = new IllegalStateException("no tables left");
        GrowingConnector.instance.fail(error);
        assertThat(worker.raised).isSameAs(error);
        assertThat(GrowingConnector.instance.offsets()).isNull();
        assertThat(worker.offsetReaders).hasValue(1);
    }

    /** Lists its tables and then blocks. */
    public static final class GrowingConnector extends SourceConnector {
        static volatile int tables;
        static volatile CountDownLatch listed;
        static volatile CountDownLatch answers;
        static volatile GrowingConnector instance;

        /** Called by reflection. */
        public GrowingConnector() {}

        void found() {
            context().requestTaskReconfiguration();
        }

        void fail(Exception error) {
            context().raiseError(error);
        }

        OffsetStorageReader offsets() {
            return context().offsetStorageReader();
        }

        @Override
        public void start(Map<String, String> properties) {
            instance = this;
        }

        @Override
        public List<Map<String, String>> taskConfigs(int maxTasks) {
            List<Map<String, String>> configs = new ArrayList<>();
            for (int table = 0; table < tables; table++) {
                configs.add(Map.of("table", Integer.toString(table)));
            }
            listed.countDown();
            try {
                answers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return configs;
        }

        @Override
        public Class<? extends Task> taskClass() {
            return SampleTask.class;
        }

        @Override
        public void stop() {
            instance = null;
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

    private static final class WorkerContext implements SourceConnectorContext {
        private final AtomicInteger requests = new AtomicInteger();
        private final AtomicInteger offsetReaders = new AtomicInteger();
        private Exception raised;

        @Override
        public void requestTaskReconfiguration() {
            requests.incrementAndGet();
        }

        @Override
        public void raiseError(Exception error) {
            raised = error;
        }

        @Override
        public OffsetStorageReader offsetStorageReader() {
            offsetReaders.incrementAndGet();
            return null;
        }

        @Override
        public PluginMetrics pluginMetrics() {
            return null;
        }
    }
}
