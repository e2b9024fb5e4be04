package io.microbatch.testbed.reference;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * Reads queues of a {@link QueueServer}, one per task and {@code tasks.max} of them. With {@code acknowledge=offset} it
 * resumes exactly at Connect's offset and declares this. Otherwise it resumes by the queue's acknowledgements only.
 * Connect's threads.
 */
public final class ReferenceConnector extends SourceConnector {

    private Map<String, String> settings;

    @Override
    public void start(Map<String, String> config) {
        settings = Map.copyOf(config);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return ReferenceTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return IntStream.range(0, maxTasks).mapToObj(this::taskConfig).toList();
    }

    private Map<String, String> taskConfig(int task) {
        Map<String, String> config = new HashMap<>(settings);
        config.put(ReferenceSettings.TASK_INDEX, Integer.toString(task));
        return config;
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> config) {
        return new ReferenceSettings(config).resumesAtOffsets()
                ? ExactlyOnceSupport.SUPPORTED
                : ExactlyOnceSupport.UNSUPPORTED;
    }

    @Override
    public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> config) {
        return new ReferenceSettings(config).getInt(ReferenceSettings.BOUNDARY_EVERY) > 0
                ? ConnectorTransactionBoundaries.SUPPORTED
                : ConnectorTransactionBoundaries.UNSUPPORTED;
    }

    @Override
    public void stop() {
        settings = null;
    }

    @Override
    public ConfigDef config() {
        return ReferenceSettings.DEFINITION;
    }

    @Override
    public String version() {
        return "1";
    }
}
