package io.microbatch.connect.it.keyed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/** A connector of one task with two passwords, and a text that may contain secrets. */
public final class KeyedConnector extends SourceConnector {

    /** A setting of the connector that its task does not get. */
    static final String FOR_THE_CONNECTOR = "connector.only";

    private Map<String, String> settings;

    /** Called by reflection. */
    public KeyedConnector() {}

    @Override
    public void start(Map<String, String> properties) {
        settings = properties;
    }

    @Override
    public Class<? extends Task> taskClass() {
        return KeyedTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        Map<String, String> task = new HashMap<>(settings);
        task.remove(FOR_THE_CONNECTOR);
        task.put("task.id", "0");
        return List.of(task);
    }

    @Override
    public void stop() {
        settings = null;
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> properties) {
        return ExactlyOnceSupport.SUPPORTED;
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef()
                .define(KeyedTask.TOPIC, Type.STRING, Importance.HIGH, "The topic of the records.")
                .define(KeyedTask.JOURNAL, Type.STRING, Importance.HIGH, "The journal, with hashes of the secrets.")
                .define(KeyedTask.PASSWORD, Type.PASSWORD, Importance.HIGH, "A secret.")
                .define(KeyedTask.TOKEN, Type.PASSWORD, Importance.HIGH, "Another.")
                .define(KeyedTask.URL, Type.STRING, Importance.HIGH, "An address that contains secrets.")
                .define("size", Type.INT, 1, Importance.LOW, "A number.")
                .define(FOR_THE_CONNECTOR, Type.STRING, "", Importance.LOW, "A setting that the task does not get.");
    }

    @Override
    public String version() {
        return "1";
    }
}
