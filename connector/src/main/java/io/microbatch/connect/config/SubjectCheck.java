package io.microbatch.connect.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Warns where the task's converters see another topic than a worker's would. They convert before the transforms, so
 * that a schema registry names a subject by the topic that a transform replaces. The settings cannot show whether that
 * harms, so that it is no error. Prints keys only. Stateless; any thread.
 */
public final class SubjectCheck {

    /** Known transforms that rename topics, and that validation accepts where they see bytes. */
    private static final Pattern RENAMES = Pattern.compile(
            "(?:.*[.])?(RegexRouter|TimestampRouter|RouteByPressure|TopicRegexRouter|MessageTimestampRouter"
                    + "|ContentBasedRouter)");

    private static final List<String> CONVERTERS = List.of("key.converter", "value.converter");

    private SubjectCheck() {}

    /** One warning for each converter with a schema registry. Empty if no transform renames topics. */
    public static List<String> warnings(Map<String, String> properties) {
        boolean deadLetters = !WorkerKeys.isBlank(properties, DeadLetterConfig.TOPIC_CONFIG);
        boolean bulk = Boolean.parseBoolean(
                properties.getOrDefault(BulkConfig.ENABLED_CONFIG, "").trim());
        boolean tries =
                properties.getOrDefault(DeadLetterConfig.MODE_CONFIG, "").trim().equalsIgnoreCase("try");
        if (!bulk && (!deadLetters || tries)) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>();
        WorkerKeys.transforms(properties).entrySet().stream()
                .filter(transform -> RENAMES.matcher(transform.getValue()).matches())
                .findFirst()
                .ifPresent(transform -> {
                    for (String converter : CONVERTERS) {
                        String key = (deadLetters ? DeadLetterConfig.PREFIX : BulkConfig.INNER_PREFIX) + converter;
                        if (hasSubjectsByTopic(WorkerKeys.withoutPrefix(properties, key + "."))) {
                            warnings.add(key + " uses a schema registry and sees the topic before "
                                    + WorkerKeys.TRANSFORMS + "." + transform.getKey()
                                    + " renames it, so that its subjects have the former name: set a subject naming "
                                    + "strategy without the topic, let the upstream name the topic"
                                    + (bulk ? "" : ", or set " + DeadLetterConfig.MODE_CONFIG + "=try")
                                    + ", or leave it so if the former name is meant");
                        }
                    }
                });
        return warnings;
    }

    /** Whether a registry is set, and no strategy whose name is without the topic. */
    private static boolean hasSubjectsByTopic(Map<String, String> settings) {
        return settings.keySet().stream().anyMatch(key -> key.contains("registry"))
                && settings.entrySet().stream()
                        .noneMatch(setting -> setting.getKey().endsWith("strategy")
                                && !setting.getValue().toLowerCase(Locale.ROOT).contains("topic"));
    }
}
