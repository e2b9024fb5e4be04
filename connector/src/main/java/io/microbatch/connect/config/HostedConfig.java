package io.microbatch.connect.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/** The keys of a hosted connector: its class, and its own settings under a prefix. Stateless; any thread. */
public final class HostedConfig {

    static final String GROUP = "Hosted connector";

    /** The prefix of every setting of the hosted connector. */
    public static final String PREFIX = "upstream.connector.";

    private static final String CLASS = "class";

    public static final String CLASS_CONFIG = PREFIX + CLASS;

    static final String CLASS_DOC =
            "The class of the source connector to host. It takes the same names as connector.class: the full "
                    + "name, the simple name or the alias (PostgresConnector, Postgres). The connector may be in any "
                    + "directory of the worker's plugin.path. If several versions are installed, the version in this "
                    + "plugin's directory is used, otherwise the newest; a version cannot be chosen. The hosted "
                    + "connector's own settings have the prefix 'upstream.connector.', for example "
                    + "upstream.connector.database.hostname.";

    public static final String POLL_AHEAD_CONFIG = "upstream.poll.ahead";

    static final String POLL_AHEAD_DOC =
            "Whether a hosted task is polled again before Kafka has what it returned. Polling ahead makes "
                    + "large batches of small polls. 'auto' polls ahead with three exceptions: a task whose polls wait "
                    + "for the acknowledgement of all earlier events; on an exactly-once worker, a task with a commit "
                    + "method of its own (except Debezium's and MirrorMaker's), which may acknowledge everything that "
                    + "the task has returned; and a task with a commit or commitRecord method (except Debezium's) "
                    + "whose polls return nothing for a second while Connect takes no "
                    + "events, as when it is paused. 'always' polls such a task ahead too; use it only if the task's "
                    + "poll never waits for an acknowledgement. "
                    + "With 'never' a task is polled again only when Connect has sent what the task returned. On an "
                    + "exactly-once worker with transaction.boundary=interval this setting has no effect on a task "
                    + "with a commit method.";

    /** Whether a hosted task is polled before Kafka has what it returned. */
    public enum PollAhead {
        AUTO,
        ALWAYS,
        NEVER;

        public static PollAhead of(Map<String, String> config) {
            return valueOf(config.getOrDefault(POLL_AHEAD_CONFIG, "auto").trim().toUpperCase(Locale.ROOT));
        }
    }

    /** A key that a user of Connect's connector.plugin.version may try. Hosted connectors do not support it. */
    static final String VERSION_CONFIG = PREFIX + "plugin.version";

    static final String VERSION_PROBLEM = VERSION_CONFIG
            + " cannot be set: a plugin cannot request a version of another plugin. The newest installed "
            + "version is hosted. Remove it from the worker's plugin.path, or put the wanted version into this "
            + "plugin's own directory, and restart the worker.";

    /** The prefix of internal keys of a task configuration. */
    static final String TASK_PREFIX = "upstream.task.";

    /** The internal key of the hosted task's class in a task configuration. */
    public static final String TASK_CLASS = TASK_PREFIX + "class";

    /** The internal key of a hosted task's own setting "class", because that key is taken. */
    private static final String TASK_OWN_CLASS = TASK_PREFIX + "own.class";

    private HostedConfig() {}

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.HIGH, CLASS_CONFIG, "Hosted connector class", CLASS_DOC)
                .takes(Type.STRING, null, Width.LONG);
        keys.add(Importance.LOW, POLL_AHEAD_CONFIG, "Poll ahead", POLL_AHEAD_DOC)
                .takesOneOf("auto", "always", "never");
    }

    /**
     * The hosted connector's own configuration: the settings under the prefix, and those of the worker's keys that a
     * hosted connector sees too. A setting under the prefix comes first.
     */
    public static Map<String, String> ownSettings(Map<String, String> connectorConfig) {
        Map<String, String> own = WorkerKeys.withoutPrefix(connectorConfig, PREFIX);
        own.remove(CLASS);
        own.put("connector.class", connectorConfig.get(CLASS_CONFIG));
        InheritedKeys.places(connectorConfig).forEach((key, place) -> own.putIfAbsent(key, connectorConfig.get(place)));
        return own;
    }

    /** The key under which the connector's configuration has a setting of the hosted connector's own configuration. */
    public static String writtenKey(Map<String, String> connectorConfig, String ownKey) {
        String prefixed = PREFIX + ownKey;
        return connectorConfig.containsKey(prefixed)
                ? prefixed
                : InheritedKeys.places(connectorConfig).getOrDefault(ownKey, prefixed);
    }

    /**
     * A hosted task's part of our task configuration, without null values. Each setting keeps the key that the user
     * wrote. Connect stores the reference to a config provider for a key that the connector's configuration has too. At
     * any other key it would store the resolved value, for example a password.
     */
    public static Map<String, String> taskShare(String connectorClass, String taskClass, Map<String, String> settings) {
        Map<String, String> share = new LinkedHashMap<>();
        settings.forEach((key, value) -> {
            if (value != null) {
                share.put(key.equals(CLASS) ? TASK_OWN_CLASS : PREFIX + key, value);
            }
        });
        share.put(CLASS_CONFIG, connectorClass);
        share.put(TASK_CLASS, taskClass);
        return share;
    }

    /** Extracts the hosted task's configuration from our task configuration. */
    public static Map<String, String> taskSettings(Map<String, String> taskConfig) {
        Map<String, String> settings = WorkerKeys.withoutPrefix(taskConfig, PREFIX);
        settings.remove(CLASS);
        if (taskConfig.containsKey(TASK_OWN_CLASS)) {
            settings.put(CLASS, taskConfig.get(TASK_OWN_CLASS));
        }
        return settings;
    }

    /**
     * The connector's configuration without the hosted connector's settings. A task gets only those that its own
     * connector gives it.
     */
    public static Map<String, String> withoutHosted(Map<String, String> connectorConfig) {
        Map<String, String> rest = new LinkedHashMap<>(connectorConfig);
        rest.keySet().removeIf(key -> key.startsWith(PREFIX));
        return rest;
    }
}
