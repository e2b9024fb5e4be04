package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.BulkConfig;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;

class MicrobatchSourceConnectorTest {

    private final MicrobatchSourceConnector connector = new MicrobatchSourceConnector();

    /** The base of the hosted connectors of these tests. */
    abstract static class TestConnector extends SourceConnector {

        @Override
        public void start(Map<String, String> properties) {}

        @Override
        public Class<? extends Task> taskClass() {
            return Task.class;
        }

        @Override
        public List<Map<String, String>> taskConfigs(int maxTasks) {
            throw new UnsupportedOperationException("not asked");
        }

        @Override
        public void stop() {}

        @Override
        public ConfigDef config() {
            return new ConfigDef();
        }

        @Override
        public String version() {
            return "1";
        }
    }

    /** A connector that defines transaction boundaries. */
    public static final class DefinesTransactions extends TestConnector {

        /** Called by reflection. */
        public DefinesTransactions() {}

        @Override
        public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> config) {
            return ConnectorTransactionBoundaries.SUPPORTED;
        }
    }

    /** A connector whose tasks get settings of their own. */
    public static final class TwoShards extends TestConnector {

        /** Called by reflection. */
        public TwoShards() {}

        @Override
        public List<Map<String, String>> taskConfigs(int maxTasks) {
            return List.of(Map.of("shard", "0"), Map.of("shard", "1", "class", "c"));
        }
    }

    @Test
    void passesATaskItsOwnSettingsOfTheHostedConnectorOnly() {
        connector.start(Map.of(
                "name",
                "orders",
                "batch.max.records",
                "7",
                HostedConfig.CLASS_CONFIG,
                TwoShards.class.getName(),
                "upstream.connector.password",
                "p"));
        assertThat(connector.taskConfigs(2))
                .containsExactly(
                        Map.of(
                                "name",
                                "orders",
                                "batch.max.records",
                                "7",
                                HostedConfig.CLASS_CONFIG,
                                TwoShards.class.getName(),
                                HostedConfig.TASK_CLASS,
                                Task.class.getName(),
                                "upstream.connector.shard",
                                "0",
                                MicrobatchConfig.TASK_NUMBER_CONFIG,
                                "0",
                                MicrobatchConfig.TASK_COUNT_CONFIG,
                                "2"),
                        Map.of(
                                "name",
                                "orders",
                                "batch.max.records",
                                "7",
                                HostedConfig.CLASS_CONFIG,
                                TwoShards.class.getName(),
                                HostedConfig.TASK_CLASS,
                                Task.class.getName(),
                                "upstream.connector.shard",
                                "1",
                                "upstream.task.own.class",
                                "c",
                                MicrobatchConfig.TASK_NUMBER_CONFIG,
                                "1",
                                MicrobatchConfig.TASK_COUNT_CONFIG,
                                "2"));
        connector.stop();
    }

    /** The servers of the HTTP upstream say how many they are. Each number is in one place. */
    @Test
    void tellsEachTaskOnceHowManyThereAre() {
        String bytes = "org.apache.kafka.connect.converters.ByteArrayConverter";
        connector.start(Map.of(
                "name",
                "clicks",
                "upstream.type",
                "http",
                "upstream.http.topics",
                "clicks",
                "key.converter",
                bytes,
                "value.converter",
                bytes,
                "header.converter",
                bytes));
        assertThat(connector.taskConfigs(3))
                .hasSize(3)
                .allSatisfy(config -> assertThat(config)
                        .containsEntry(MicrobatchConfig.TASK_COUNT_CONFIG, "3")
                        .satisfies(all -> assertThat(all.keySet().stream().filter(key -> key.endsWith("task.count")))
                                .hasSize(1)));
        connector.stop();
    }

    private ConnectorTransactionBoundaries withBulk(String enabled) {
        return connector.canDefineTransactionBoundaries(Map.of(
                HostedConfig.CLASS_CONFIG, DefinesTransactions.class.getName(), BulkConfig.ENABLED_CONFIG, enabled));
    }

    @Test
    void reportsThatAHostedConnectorDefinesTransactionBoundaries() {
        assertThat(withBulk("false")).isEqualTo(ConnectorTransactionBoundaries.SUPPORTED);
    }

    @Test
    void reportsNoTransactionBoundariesWithBulkRecords() {
        assertThat(withBulk("true")).isEqualTo(ConnectorTransactionBoundaries.UNSUPPORTED);
    }
}
