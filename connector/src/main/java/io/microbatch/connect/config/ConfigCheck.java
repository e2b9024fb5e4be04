package io.microbatch.connect.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Finds errors that a key's own validator cannot see: unknown keys, and keys that depend on each other. Every message
 * names the key and the remedy and shows no value. Stateless; any thread.
 */
public final class ConfigCheck {

    /** Prefixes of this connector. An unknown key under one of them is a mistake. */
    private static final List<String> OWN_PREFIXES =
            List.of("upstream.", "batch.", "latency.", "pressure.", "stripe.", "bulk.", "deadletter.", "calibration.");

    private static final String HOSTED = "connector";

    /** The keys of each kind of upstream. */
    private static final List<Needs> NEEDS = List.of(
            new Needs(
                    HOSTED,
                    HostedConfig.PREFIX,
                    HostedConfig.CLASS_CONFIG,
                    "name the class of the source connector to host, or set " + UpstreamConfig.TYPE_CONFIG
                            + "=synthetic"),
            new Needs("http", HttpConfig.PREFIX, HttpConfig.TOPICS_CONFIG, "name the topics that clients may write"),
            new Needs(
                    "outbox", OutboxConfig.PREFIX, OutboxConfig.URL_CONFIG, "name the database with the outbox table"),
            new Needs(
                    "synthetic", SyntheticConfig.PREFIX, SyntheticConfig.TOPIC_CONFIG, "name the topic of the events"));

    /** The prefix of the keys of one kind of upstream, and the key that it needs. */
    private record Needs(String type, String prefix, String key, String remedy) {}

    private static final int MAX_SUGGESTION_DISTANCE = 4;

    private ConfigCheck() {}

    /** Parses every key by itself, then checks the keys together. Returns each problem at its key. */
    public static Map<String, ConfigValue> check(Map<String, String> properties) {
        Map<String, ConfigValue> values = checkEssentials(properties);
        checkCalibration(values);
        return values;
    }

    /**
     * The first problem that prevents a connector from running. An unusable calibration directory does not prevent it.
     */
    public static Optional<String> essentialProblem(Map<String, String> properties) {
        return checkEssentials(properties).values().stream()
                .flatMap(value -> value.errorMessages().stream())
                .findFirst();
    }

    private static Map<String, ConfigValue> checkEssentials(Map<String, String> properties) {
        Map<String, ConfigValue> values =
                new LinkedHashMap<>(MicrobatchConfig.definition().validateAll(properties));
        properties.keySet().stream().filter(ConfigCheck::unknown).forEach(key -> {
            ConfigValue value = new ConfigValue(key);
            value.addErrorMessage(unknownMessage(key));
            values.put(key, value);
        });
        checkUpstream(properties, values);
        DeadLetterCheck.check(properties, values);
        BulkConfig.check(properties, values);
        HttpCheck.check(properties, values);
        OutboxCheck.check(properties, values);
        return values;
    }

    private static boolean unknown(String key) {
        return OWN_PREFIXES.stream().anyMatch(key::startsWith)
                && !key.startsWith(HostedConfig.PREFIX)
                && !DeadLetterConfig.isConverterSetting(key)
                && !BulkConfig.isConverterSetting(key)
                && !knownKeys().contains(key);
    }

    private static Set<String> knownKeys() {
        return MicrobatchConfig.definition().names();
    }

    private static String unknownMessage(String key) {
        Optional<String> nearest = knownKeys().stream()
                .filter(known -> EditDistance.between(key, known) <= MAX_SUGGESTION_DISTANCE)
                .min(Comparator.comparingInt(known -> EditDistance.between(key, known)));
        return "Unknown key " + key
                + nearest.map(known -> ": did you mean " + known + "?")
                        .orElse(": remove it, or put a hosted connector's own setting under '" + HostedConfig.PREFIX
                                + "'");
    }

    private static void checkUpstream(Map<String, String> properties, Map<String, ConfigValue> values) {
        Object type = values.get(UpstreamConfig.TYPE_CONFIG).value();
        String name = type instanceof String text ? text.toLowerCase(Locale.ROOT) : "";
        for (Needs needs : NEEDS) {
            if (!needs.type().equals(name)) {
                orphans(properties, needs.prefix(), needs.type(), values);
            } else if (blank(values.get(needs.key()))) {
                values.get(needs.key()).addErrorMessage(needs.key() + " is missing: " + needs.remedy());
            }
        }
        if (name.equals(HOSTED) && properties.containsKey(HostedConfig.VERSION_CONFIG)) {
            values.computeIfAbsent(HostedConfig.VERSION_CONFIG, ConfigValue::new)
                    .addErrorMessage(HostedConfig.VERSION_PROBLEM);
        }
    }

    private static void orphans(
            Map<String, String> properties, String prefix, String type, Map<String, ConfigValue> values) {
        List<String> orphans = new ArrayList<>(properties.keySet());
        orphans.removeIf(key -> !key.startsWith(prefix));
        orphans.forEach(key -> values.computeIfAbsent(key, ConfigValue::new)
                .addErrorMessage(key + " is read only with " + UpstreamConfig.TYPE_CONFIG + "=" + type
                        + ": remove it, or change the type"));
    }

    private static void checkCalibration(Map<String, ConfigValue> values) {
        ConfigValue directory = values.get(CalibrationConfig.DIRECTORY_CONFIG);
        if (Boolean.TRUE.equals(values.get(CalibrationConfig.ENABLED_CONFIG).value()) && !blank(directory)) {
            CalibrationConfig.problemWith((String) directory.value()).ifPresent(directory::addErrorMessage);
        }
    }

    private static boolean blank(ConfigValue value) {
        return value.value() == null
                || (value.value() instanceof List<?> list && list.isEmpty())
                || value.value().toString().isBlank();
    }
}
