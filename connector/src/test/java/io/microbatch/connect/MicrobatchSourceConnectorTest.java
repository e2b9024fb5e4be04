package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.BulkConfig;
import io.microbatch.connect.config.HostedConfig;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;

class MicrobatchSourceConnectorTest {

    private final MicrobatchSourceConnector connector = new MicrobatchSourceConnector();

    /** A connector that says itself where transactions end. */
    public static final class Bounding extends SourceConnector {

        /** For the host. */
        public Bounding() {}

        @Override
        public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> config) {
            return ConnectorTransactionBoundaries.SUPPORTED;
        }

        @Override
        public void start(Map<String, String> properties) {
            throw new UnsupportedOperationException("only asked");
        }

        @Override
        public Class<? extends Task> taskClass() {
            throw new UnsupportedOperationException("only asked");
        }

        @Override
        public List<Map<String, String>> taskConfigs(int maxTasks) {
            throw new UnsupportedOperationException("only asked");
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

    private ConnectorTransactionBoundaries withBulk(String enabled) {
        return connector.canDefineTransactionBoundaries(
                Map.of(HostedConfig.CLASS_CONFIG, Bounding.class.getName(), BulkConfig.ENABLED_CONFIG, enabled));
    }

    @Test
    void passesOnThatAHostedConnectorSaysWhereTransactionsEnd() {
        assertThat(withBulk("false")).isEqualTo(ConnectorTransactionBoundaries.SUPPORTED);
    }

    @Test
    void letsTheWorkerRefuseThatWithBulkRecords() {
        assertThat(withBulk("true")).isEqualTo(ConnectorTransactionBoundaries.UNSUPPORTED);
    }
}
