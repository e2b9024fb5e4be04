package io.microbatch.connect.console;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The converters of a hosted connector's events. With dead letters or bulk records this project's task applies them,
 * and the worker's own keys only name a converter that passes bytes on. Stateless; any thread.
 */
final class HostedConverters {

    private static final String DEAD_LETTER_TOPIC = "deadletter.topic";
    private static final String DEAD_LETTER_MODE = "deadletter.mode";
    private static final String DEAD_LETTER_CONVERTER = "DeadLetterConverter";
    private static final String BULK = "bulk.enabled";
    private static final String HEADERS = "header.converter";

    /** What the task and DeadLetterConverter use for headers where nothing is named. */
    private static final String HEADERS_DEFAULT = "org.apache.kafka.connect.storage.SimpleHeaderConverter";

    private static final List<String> KINDS = List.of("key.converter", "value.converter", HEADERS);

    private HostedConverters() {}

    /** Whether the connector has dead letters. */
    static boolean hasDeadLetters(Map<String, String> hosted) {
        return !hosted.getOrDefault(DEAD_LETTER_TOPIC, "").isBlank();
    }

    /** Whether the connector packs its events into bulk records. */
    static boolean isBulk(Map<String, String> hosted) {
        return Boolean.parseBoolean(hosted.getOrDefault(BULK, "").trim());
    }

    /** Gives a plain configuration, made of the hosted one, the converters that the events have now. */
    static void putInto(Map<String, String> plain, Map<String, String> hosted) {
        for (String kind : KINDS) {
            place(hosted, kind).ifPresent(place -> {
                boolean ignored = plain.keySet().removeIf(key -> isOf(kind, key));
                hosted.forEach((key, value) -> {
                    if (isOf(place, key)) {
                        plain.put(kind + key.substring(place.length()), value);
                    }
                });
                if (kind.equals(HEADERS) && plain.getOrDefault(kind, "").isBlank()) {
                    plain.put(kind, HEADERS_DEFAULT);
                }
            });
        }
    }

    /** The key that names the converter of the events in place of the worker's key. Empty if that one does. */
    private static Optional<String> place(Map<String, String> hosted, String kind) {
        if (hasDeadLetters(hosted)) {
            boolean tries = hosted.getOrDefault(DEAD_LETTER_MODE, "convert")
                    .trim()
                    .toLowerCase(Locale.ROOT)
                    .equals("try");
            if (!tries) {
                return Optional.of("deadletter." + kind);
            }
            return hosted.getOrDefault(kind, "").trim().endsWith(DEAD_LETTER_CONVERTER)
                    ? Optional.of(kind + ".delegate")
                    : Optional.empty();
        }
        String inner = "bulk.inner." + kind;
        return isBulk(hosted) && hosted.containsKey(inner) ? Optional.of(inner) : Optional.empty();
    }

    private static boolean isOf(String converter, String key) {
        return key.equals(converter) || key.startsWith(converter + ".");
    }
}
