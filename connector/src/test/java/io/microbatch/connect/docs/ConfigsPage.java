package io.microbatch.connect.docs;

import io.microbatch.connect.config.MicrobatchConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** Generates {@code docs/configs.md} from the definition and {@link ConfigAdvice}. Stateless. */
final class ConfigsPage {

    private static final String TOP = """
            # Settings

            Generated from the code. A test fails when this page and the code differ. To write it again:
            `mvn test -pl transforms,testbed,connector -Dtest=ReferenceDocsTest \
            -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true`.

            Only the upstream must be set. The first setting to change is `latency.target.ms`: [tuning](tuning.md).
            A misspelt key under one of these prefixes is an error with a suggestion. Settings under
            `upstream.connector.` belong to the hosted connector. Converters, transforms, `errors.tolerance`,
            `producer.override.*`, `topic.creation.*` and
            [some more](operations.md#moving-a-running-connector-under-this-one-and-back) belong to the worker and keep
            their meaning.
            """;

    private ConfigsPage() {}

    static String text() {
        ConfigDef definition = MicrobatchConfig.definition();
        StringBuilder page = new StringBuilder(TOP);
        for (String group : definition.groups()) {
            page.append("\n## ").append(group).append('\n');
            List<ConfigKey> keys = new ArrayList<>(definition.configKeys().values());
            keys.removeIf(key -> !key.group.equals(group));
            keys.sort(Comparator.comparingInt(key -> key.orderInGroup));
            keys.forEach(key -> page.append(section(key)));
        }
        return page.toString();
    }

    /** Keys without advice, and advice for unknown keys. */
    static TreeSet<String> unmatched() {
        TreeSet<String> keys = new TreeSet<>(MicrobatchConfig.definition().names());
        TreeSet<String> advised = new TreeSet<>(ConfigAdvice.BY_KEY.keySet());
        TreeSet<String> unmatched = new TreeSet<>(keys);
        unmatched.removeAll(advised);
        advised.removeAll(keys);
        unmatched.addAll(advised);
        return unmatched;
    }

    private static String section(ConfigKey key) {
        ConfigAdvice advice = ConfigAdvice.BY_KEY.get(key.name);
        StringBuilder section = new StringBuilder("\n### `").append(key.name).append("`\n\n");
        section.append(key.documentation).append("\n\n");
        section.append("- Default: ").append(defaultOf(key)).append('\n');
        if (key.validator != null) {
            section.append("- Range: ").append(range(key.validator.toString())).append('\n');
        }
        section.append("- Unit: ").append(advice.unit()).append('\n');
        section.append("- Change it ").append(advice.when()).append('\n');
        return section.toString();
    }

    private static String defaultOf(ConfigKey key) {
        return key.defaultValue == null || key.defaultValue == ConfigDef.NO_DEFAULT_VALUE
                ? "none"
                : "`" + key.defaultValue + "`";
    }

    private static String range(String validator) {
        String choice = "(case insensitive) [";
        if (validator.startsWith(choice)) {
            return List.of(validator
                            .substring(choice.length(), validator.length() - 1)
                            .split(", ", -1))
                    .stream()
                    .map(each -> "`" + each.toLowerCase(Locale.ROOT) + "`")
                    .sorted()
                    .collect(Collectors.joining(" or "));
        }
        return validator
                .replaceAll("^\\[(.+),\\.\\.\\.,(.+)]$", "$1 to $2")
                .replaceAll("^\\[(.+),\\.\\.\\.]$", "at least $1");
    }
}
