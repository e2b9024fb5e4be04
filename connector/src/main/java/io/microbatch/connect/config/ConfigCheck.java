package io.microbatch.connect.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
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
        boolean hosted = type instanceof String name && name.equalsIgnoreCase("connector");
        boolean synthetic = type instanceof String name && name.equalsIgnoreCase("synthetic");
        if (hosted && blank(values.get(HostedConfig.CLASS_CONFIG))) {
            values.get(HostedConfig.CLASS_CONFIG)
                    .addErrorMessage(HostedConfig.CLASS_CONFIG
                            + " is missing: name the class of the source connector to host, or set "
                            + UpstreamConfig.TYPE_CONFIG + "=synthetic");
        }
        if (synthetic && blank(values.get(SyntheticConfig.TOPIC_CONFIG))) {
            values.get(SyntheticConfig.TOPIC_CONFIG)
                    .addErrorMessage(SyntheticConfig.TOPIC_CONFIG + " is missing: name the topic of the events");
        }
        if (hosted && properties.containsKey(HostedConfig.VERSION_CONFIG)) {
            values.computeIfAbsent(HostedConfig.VERSION_CONFIG, ConfigValue::new)
                    .addErrorMessage(HostedConfig.VERSION_PROBLEM);
        }
        if (!hosted) {
            orphans(properties, HostedConfig.PREFIX, "connector", values);
        }
        if (!synthetic) {
            orphans(properties, SyntheticConfig.PREFIX, "synthetic", values);
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
        return value.value() == null || value.value().toString().isBlank();
    }
}
