package io.microbatch.bench.baseline;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/** A source connector that returns so many events from each poll. Its one task is {@link BaselineTask}. */
public final class BaselineConnector extends SourceConnector {

    static final String TOPIC = "baseline.topic";
    static final String EVENTS = "baseline.events";
    static final String SIZE_BYTES = "baseline.size.bytes";
    static final String POLL_EVENTS = "baseline.poll.events";
    static final String RATE = "baseline.rate";

    static final ConfigDef CONFIG = new ConfigDef()
            .define(TOPIC, Type.STRING, Importance.HIGH, "Where the events go.")
            .define(EVENTS, Type.INT, Importance.HIGH, "How many events there are.")
            .define(SIZE_BYTES, Type.INT, 100, Importance.LOW, "The size of each.")
            .define(POLL_EVENTS, Type.INT, 1, Importance.HIGH, "How many a poll returns.")
            .define(RATE, Type.INT, 0, Importance.LOW, "How many there are in a second; 0 for as many as polls take.");

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
        return List.of(settings);
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
