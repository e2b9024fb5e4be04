package io.microbatch.connect.it.steady;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/** Returns one event from each poll, with a pause before it. Has a password whose name does not sound like one. */
public final class SteadyConnector extends SourceConnector {

    static final String TOPIC = "topic";
    static final String PAUSE_MS = "pause.ms";
    static final String ENTRY_CODE = "entry.code";

    private Map<String, String> settings;

    /** Called by reflection. */
    public SteadyConnector() {}

    @Override
    public void start(Map<String, String> properties) {
        settings = properties;
    }

    @Override
    public Class<? extends Task> taskClass() {
        return SteadyTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return List.of(settings);
    }

    @Override
    public void stop() {
        // It holds nothing.
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> properties) {
        return ExactlyOnceSupport.SUPPORTED;
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef()
                .define(TOPIC, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "The topic of the events.")
                .define(PAUSE_MS, ConfigDef.Type.LONG, 10, ConfigDef.Importance.LOW, "The pause before an event.")
                .define(ENTRY_CODE, ConfigDef.Type.PASSWORD, "", ConfigDef.Importance.LOW, "A password.");
    }

    @Override
    public String version() {
        return "1";
    }
}
