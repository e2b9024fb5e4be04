package io.microbatch.bench.baseline;

import io.microbatch.connect.config.SyntheticConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * A source connector that returns a fixed number of events from each poll, those that the generator makes for the same
 * keys. Its tasks ({@link BaselineTask}) share the source partitions.
 */
public final class BaselineConnector extends SourceConnector {

    static final String POLL_EVENTS = "baseline.poll.events";
    static final String WAIT_MS = "baseline.wait.ms";

    /** Which task it is and of how many, as the connector tells its tasks. */
    static final String TASK = "baseline.task";

    static final String TASKS = "baseline.tasks";

    static final ConfigDef CONFIG = new ConfigDef()
            .define(SyntheticConfig.TOPIC_CONFIG, Type.STRING, Importance.HIGH, "Where the events go.")
            .define(SyntheticConfig.TOPICS_CONFIG, Type.INT, 1, Importance.LOW, "How many topics there are.")
            .define(SyntheticConfig.PARTITIONS_CONFIG, Type.INT, 1, Importance.LOW, "How many sequences there are.")
            .define(SyntheticConfig.EVENTS_CONFIG, Type.LONG, Importance.HIGH, "How many events each sequence has.")
            .define(SyntheticConfig.SIZE_CONFIG, Type.STRING, "100", Importance.LOW, "A size in bytes, or a range.")
            .define(SyntheticConfig.PAYLOAD_CONFIG, Type.STRING, "random", Importance.LOW, "The filler.")
            .define(SyntheticConfig.START_CONFIG, Type.LONG, 0L, Importance.LOW, "When the rate began; 0 for now.")
            .define(
                    SyntheticConfig.RATE_CONFIG,
                    Type.INT,
                    0,
                    Importance.LOW,
                    "How many there are in a second; 0 for as many as polls take.")
            .define(POLL_EVENTS, Type.INT, 1, Importance.HIGH, "How many a poll returns.")
            .define(TASK, Type.INT, 0, Importance.LOW, "The number of the task, from 0 on.")
            .define(TASKS, Type.INT, 1, Importance.LOW, "How many tasks there are.")
            .define(WAIT_MS, Type.INT, 100, Importance.LOW, "How long a poll waits for an event at most.");

    private Map<String, String> settings = Map.of();

    @Override
    public String version() {
        return "benchmark";
    }

    @Override
    public void start(Map<String, String> properties) {
        settings = Map.copyOf(properties);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return BaselineTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        int partitions = Integer.parseInt(settings.getOrDefault(SyntheticConfig.PARTITIONS_CONFIG, "1"));
        int tasks = Math.min(maxTasks, partitions);
        List<Map<String, String>> configs = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            Map<String, String> config = new HashMap<>(settings);
            config.put(TASK, Integer.toString(task));
            config.put(TASKS, Integer.toString(tasks));
            configs.add(config);
        }
        return configs;
    }

    @Override
    public void stop() {
        settings = Map.of();
    }

    @Override
    public ConfigDef config() {
        return CONFIG;
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> properties) {
        return ExactlyOnceSupport.SUPPORTED;
    }
}
