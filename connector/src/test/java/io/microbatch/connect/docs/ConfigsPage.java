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

/** {@code docs/configs.md} from the definition and {@link ConfigAdvice}. Stateless. */
final class ConfigsPage {

    private static final String TOP = """
            # Settings

            Generated from the code; a test fails when this page and the code differ. To regenerate it:
            `mvn test -pl transforms,testbed,connector -Dtest=ReferenceDocsTest \
            -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true`.

            Only the upstream is required. Set `latency.target.ms` first: [tuning](tuning.md). A misspelt key with a
            prefix of this connector, such as `batch.`, is an error with a suggestion. Keys with the prefix
            `upstream.connector.` belong to the hosted connector. Converters, transforms, `errors.tolerance`,
            `producer.override.*`, `topic.creation.*` and
            [some more](operations.md#moving-a-running-connector-under-this-one-and-back) are the worker's and keep
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

    /** Keys without advice, and advice without a key. */
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
        if (key.defaultValue instanceof List<?> list) {
            return "`" + list.stream().map(String::valueOf).collect(Collectors.joining(",")) + "`";
        }
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
