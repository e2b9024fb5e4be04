package io.microbatch.connect.upstream.hosted;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** Small real connectors to host. */
final class HostedSample {

    private HostedSample() {}

    /** A connector with one required key, one secret and two tasks. */
    public static final class SampleConnector extends SourceConnector {
        private Map<String, String> started;

        /** Called by reflection. */
        public SampleConnector() {}

        @Override
        public void start(Map<String, String> properties) {
            started = properties;
        }

        @Override
        public Class<? extends Task> taskClass() {
            return SampleTask.class;
        }

        @Override
        public List<Map<String, String>> taskConfigs(int maxTasks) {
            Map<String, String> first = new java.util.HashMap<>(started);
            first.put("task", "0");
            first.put("unset", null);
            return List.of(first, Map.of("task", "1"));
        }

        @Override
        public void stop() {
            started = null;
        }

        @Override
        public ConfigDef config() {
            return new ConfigDef()
                    .define("name", Type.STRING, Importance.HIGH, "worker's")
                    .define("url", Type.STRING, Importance.HIGH, "required")
                    .define("secret", Type.PASSWORD, "", Importance.HIGH, "secret")
                    .define("errors.tolerance", Type.STRING, "none", ValidString.in("none"), Importance.LOW, "worker's")
                    .define("key.converter", Type.STRING, "A", ValidString.in("A"), Importance.LOW, "worker's");
        }

        @Override
        public String version() {
            return "1";
        }

        /** Includes its password in the messages of some addresses, as drivers do. */
        @Override
        public Config validate(Map<String, String> properties) {
            Config config = super.validate(properties);
            String url = properties.get("url");
            String login = " with '" + String.valueOf(properties.get("secret")).trim() + "'";
            if ("worse".equals(url)) {
                throw new IllegalStateException("crashed" + login);
            }
            if ("incomplete".equals(url)) {
                throw new NoClassDefFoundError("org/example/Driver");
            }
            config.configValues().stream()
                    .filter(value -> value.name().equals("url") && "bad".equals(url))
                    .forEach(value -> value.addErrorMessage("no login at bad" + login));
            return config;
        }

        @Override
        public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> config) {
            return config.containsKey("url") ? ExactlyOnceSupport.SUPPORTED : ExactlyOnceSupport.UNSUPPORTED;
        }

        @Override
        public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> config) {
            return ConnectorTransactionBoundaries.SUPPORTED;
        }

        @Override
        public boolean alterOffsets(Map<String, String> config, Map<Map<String, ?>, Map<String, ?>> offsets) {
            if (offsets.isEmpty()) {
                throw new ConnectException("no offsets");
            }
            return true;
        }
    }

    /** A task that records its notifications, and throws if requested. */
    public static class SampleTask extends SourceTask {
        final List<Object> confirmed = new ArrayList<>();
        int commits;
        RuntimeException toThrow;

        /** Called by reflection. */
        public SampleTask() {}

        @Override
        public String version() {
            return "1";
        }

        @Override
        public void start(Map<String, String> properties) {
            confirmed.clear();
        }

        @Override
        public List<SourceRecord> poll() {
            return List.of();
        }

        @Override
        public void commitRecord(SourceRecord record, RecordMetadata metadata) {
            confirmed.add(metadata == null ? "skipped " + record.value() : record.value());
            throwIfRequested();
        }

        @Override
        public void commit() {
            commits++;
            throwIfRequested();
        }

        private void throwIfRequested() {
            if (toThrow != null) {
                throw toThrow;
            }
        }

        @Override
        public void stop() {
            confirmed.clear();
        }
    }

    /** A connector that cannot be instantiated. */
    public abstract static class AbstractSample extends SourceConnector {}
}
