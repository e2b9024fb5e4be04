package io.microbatch.connect.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of the worker that a hosted connector sees too, because connectors read them: Debezium the class of the
 * converters, MongoDB's connector what happens to errors. Stateless; any thread.
 */
final class InheritedKeys {

    private static final List<String> SAME = List.of("name", "tasks.max", WorkerKeys.TOLERANCE, "errors.log.enable");

    private static final List<String> CONVERTERS = List.of("key.converter", "value.converter");

    private static final String DEAD_LETTER_CONVERTER = "DeadLetterConverter";

    private InheritedKeys() {}

    /** The place in the connector's configuration of each key that has a value there. */
    static Map<String, String> places(Map<String, String> connectorConfig) {
        Map<String, String> places = new LinkedHashMap<>();
        SAME.stream().filter(key -> connectorConfig.get(key) != null).forEach(key -> places.put(key, key));
        for (String kind : CONVERTERS) {
            String place = converterPlace(connectorConfig, kind);
            if (!WorkerKeys.isBlank(connectorConfig, place)) {
                places.put(kind, place);
            }
        }
        return places;
    }

    /** The key of the converter that events have at last. The connector's own key may name one that passes bytes on. */
    private static String converterPlace(Map<String, String> connectorConfig, String kind) {
        if (!WorkerKeys.isBlank(connectorConfig, DeadLetterConfig.TOPIC_CONFIG)) {
            if (!text(connectorConfig, DeadLetterConfig.MODE_CONFIG).equalsIgnoreCase("try")) {
                return DeadLetterConfig.PREFIX + kind;
            }
        } else if (Boolean.parseBoolean(text(connectorConfig, BulkConfig.ENABLED_CONFIG))) {
            return BulkConfig.INNER_PREFIX + kind;
        }
        return text(connectorConfig, kind).endsWith(DEAD_LETTER_CONVERTER)
                ? kind + DeadLetterConfig.DELEGATE_SUFFIX
                : kind;
    }

    private static String text(Map<String, String> connectorConfig, String key) {
        return WorkerKeys.isBlank(connectorConfig, key)
                ? ""
                : connectorConfig.get(key).trim();
    }
}
