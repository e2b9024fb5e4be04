package io.microbatch.connect.it.stubborn;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/** A connector of one task that hangs on commands of its control directory. */
public final class StubbornConnector extends SourceConnector {

    private Map<String, String> settings;

    /** Called by reflection. */
    public StubbornConnector() {}

    @Override
    public void start(Map<String, String> properties) {
        settings = properties;
    }

    @Override
    public Config validate(Map<String, String> properties) {
        new Control(properties.get(Control.KEY)).enter("connector", "validate");
        return super.validate(properties);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return StubbornTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        new Control(settings.get(Control.KEY)).enter("connector", "taskConfigs");
        return List.of(settings);
    }

    @Override
    public void stop() {
        new Control(settings.get(Control.KEY)).enter("connector", "stopConnector");
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> properties) {
        return ExactlyOnceSupport.SUPPORTED;
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef()
                .define(Control.KEY, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "The control directory.")
                .define("topic", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "The topic of the records.")
                .define("port", ConfigDef.Type.INT, ConfigDef.Importance.HIGH, "A port that only one task can hold.");
    }

    @Override
    public String version() {
        return "1";
    }
}
