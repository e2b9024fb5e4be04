package io.microbatch.connect.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * The keys of a hosted connector: its class, and its own settings under a prefix. Stateless; any thread.
 */
public final class HostedConfig {

    static final String GROUP = "Hosted connector";

    /** What stands before every setting of the hosted connector. */
    public static final String PREFIX = "upstream.connector.";

    private static final String CLASS = "class";

    /** The key of the hosted connector's class. */
    public static final String CLASS_CONFIG = PREFIX + CLASS;

    static final String CLASS_DOC =
            "The class of the source connector to host, as it would stand in its own connector.class: any "
                    + "that is installed on the worker's plugin.path, in whichever directory, by its full name, its "
                    + "simple name or its alias (PostgresConnector, Postgres). Where several versions are installed, "
                    + "it is that in the directory of this plugin, or else the newest: a version cannot be chosen. "
                    + "Its own settings follow under 'upstream.connector.', for example "
                    + "upstream.connector.database.hostname.";

    /** The key of whether a hosted task is polled before Kafka has what it returned. */
    public static final String POLL_AHEAD_CONFIG = "upstream.poll.ahead";

    static final String POLL_AHEAD_DOC =
            "Whether a hosted task is polled again before Kafka has what it returned, which is what makes "
                    + "large batches of small polls. 'auto' does so, except for a task whose polls wait for the "
                    + "acknowledgement of all events before, and, on an exactly-once worker, for a task that has a "
                    + "commit method: that may acknowledge everything that the task has returned. 'always' makes "
                    + "large batches of such a task too; right if its poll never waits for an acknowledgement. With "
                    + "transaction.boundary=interval it does not concern a task that has a commit method. 'never' "
                    + "polls every task again only when Connect has sent what it returned.";

    /** Whether a hosted task is polled before Kafka has what it returned. */
    public enum PollAhead {
        /** Unless the task relies on Connect's order. */
        AUTO,
        /** Whatever the task relies on. */
        ALWAYS,
        /** In step with Connect. */
        NEVER;

        /** As a configuration says. */
        public static PollAhead of(Map<String, String> config) {
            return valueOf(config.getOrDefault(POLL_AHEAD_CONFIG, "auto").toUpperCase(Locale.ROOT));
        }
    }

    /** What a user would write who knows Connect's connector.plugin.version; no hosted connector has such a setting. */
    static final String VERSION_CONFIG = PREFIX + "plugin.version";

    static final String VERSION_PROBLEM = VERSION_CONFIG
            + " cannot be set: a plugin has no way to ask the worker for a version of another. The newest that is "
            + "installed is hosted; remove it from the worker's plugin.path, or put the version that is wanted into "
            + "this plugin's own directory, and restart the worker.";

    /** What stands before the keys of a task configuration that no user writes; internal. */
    static final String TASK_PREFIX = "upstream.task.";

    /** The key of the hosted task's class in a task configuration; internal. */
    public static final String TASK_CLASS = TASK_PREFIX + "class";

    /** Where a hosted task's own setting "class" stands, since its place is taken; internal. */
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
     * The hosted connector's configuration as its own worker would have given it: the settings under the prefix, and
     * the name and task count of the connector that hosts it.
     */
    public static Map<String, String> ownSettings(Map<String, String> connectorConfig) {
        Map<String, String> own = stripped(connectorConfig, PREFIX);
        own.remove(CLASS);
        own.put("connector.class", connectorConfig.get(CLASS_CONFIG));
        copy("name", connectorConfig, own);
        copy("tasks.max", connectorConfig, own);
        return own;
    }

    /**
     * A hosted task's share of a task configuration of ours. Each of its settings stands at the key at which the user
     * wrote it: the worker stores a task's configuration with all values of config providers in it, unless it finds the
     * key in the connector's configuration too, from which it takes the reference instead. At any other key a password
     * would be stored as it is, and once and for all.
     *
     * @param connectorClass the hosted connector's, as the user wrote it
     * @param taskClass the hosted task's
     * @param settings the hosted task's, of which null values are left out
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

    /** The hosted task's configuration out of a task configuration of ours. */
    public static Map<String, String> taskSettings(Map<String, String> taskConfig) {
        Map<String, String> settings = stripped(taskConfig, PREFIX);
        settings.remove(CLASS);
        if (taskConfig.containsKey(TASK_OWN_CLASS)) {
            settings.put(CLASS, taskConfig.get(TASK_OWN_CLASS));
        }
        return settings;
    }

    /**
     * The connector's configuration without what concerns the hosted connector: of that a task gets what its own
     * connector gives it, and not what that has left out.
     */
    public static Map<String, String> withoutHosted(Map<String, String> connectorConfig) {
        Map<String, String> rest = new LinkedHashMap<>(connectorConfig);
        rest.keySet().removeIf(key -> key.startsWith(PREFIX));
        return rest;
    }

    private static void copy(String key, Map<String, String> from, Map<String, String> to) {
        String value = from.get(key);
        if (value != null) {
            to.putIfAbsent(key, value);
        }
    }

    private static Map<String, String> stripped(Map<String, String> config, String prefix) {
        Map<String, String> stripped = new LinkedHashMap<>();
        config.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                stripped.put(key.substring(prefix.length()), value);
            }
        });
        return stripped;
    }
}
