package io.microbatch.connect.config;

import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Checks that the keys of dead letters, of the worker's converters and of transforms fit together. Every message names
 * the key and the remedy. Stateless; any thread.
 */
final class DeadLetterCheck {

    private static final String DEAD_LETTER_CONVERTER = "io.microbatch.connect.transforms.DeadLetterConverter";
    private static final String TRY = DeadLetterConfig.MODE_CONFIG + "=try";

    private DeadLetterCheck() {}

    static void check(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (WorkerKeys.isBlank(properties, DeadLetterConfig.TOPIC_CONFIG)) {
            properties.keySet().stream()
                    .filter(key ->
                            key.startsWith(DeadLetterConfig.PREFIX) && !key.equals(DeadLetterConfig.TOPIC_CONFIG))
                    .forEach(key -> WorkerKeys.error(
                            values,
                            key,
                            "is read only with " + DeadLetterConfig.TOPIC_CONFIG + ": set that, or remove it"));
            return;
        }
        if (!TopicName.isAllowed(properties.get(DeadLetterConfig.TOPIC_CONFIG).trim())) {
            WorkerKeys.error(
                    values,
                    DeadLetterConfig.TOPIC_CONFIG,
                    "is no name of a topic: use up to 249 letters, digits, '.', '_' and '-'");
        }
        String mode = properties.getOrDefault(DeadLetterConfig.MODE_CONFIG, "").trim();
        if (mode.equalsIgnoreCase("try")) {
            checkTry(properties, values);
        } else {
            checkConvert(properties, values);
        }
        for (ProducerLimit limit : ProducerLimit.values()) {
            limit.configuredBytes(properties).ifPresent(bytes -> checkSizes(properties, values, limit.key(), bytes));
        }
    }

    private static void checkConvert(Map<String, String> properties, Map<String, ConfigValue> values) {
        for (String converter : DeadLetterConfig.CONVERTERS) {
            BytesConverters.check(
                    converter,
                    properties,
                    values,
                    DeadLetterConfig.TOPIC_CONFIG,
                    "the task converts with " + DeadLetterConfig.PREFIX + converter);
            checkClass(DeadLetterConfig.PREFIX + converter, converter, properties, values);
        }
        if (!isBulk(values)) {
            ContentTransforms.refuse(
                    properties,
                    values,
                    DeadLetterConfig.TOPIC_CONFIG + " and " + DeadLetterConfig.MODE_CONFIG + "=convert",
                    "set " + TRY);
        }
    }

    private static boolean isBulk(Map<String, ConfigValue> values) {
        return Boolean.TRUE.equals(values.get(BulkConfig.ENABLED_CONFIG).value());
    }

    private static void checkTry(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (isBulk(values)) {
            WorkerKeys.error(
                    values,
                    DeadLetterConfig.MODE_CONFIG,
                    "must be convert with " + BulkConfig.ENABLED_CONFIG
                            + "=true: events are packed as bytes, so that no transform sees the original event");
            return;
        }
        for (String converter : DeadLetterConfig.CONVERTERS) {
            if (!DEAD_LETTER_CONVERTER.equals(properties.get(converter))) {
                WorkerKeys.error(
                        values,
                        converter,
                        "must be " + DEAD_LETTER_CONVERTER + " with " + TRY
                                + ": only it leaves the bytes of dead letters unchanged. Set it, and name the "
                                + "converter of events in " + converter + DeadLetterConfig.DELEGATE_SUFFIX);
            }
            checkClass(converter + DeadLetterConfig.DELEGATE_SUFFIX, converter, properties, values);
            String own = DeadLetterConfig.PREFIX + converter;
            if (!WorkerKeys.isBlank(properties, own)) {
                checkClass(own, converter, properties, values);
            } else {
                properties.keySet().stream()
                        .filter(key -> key.startsWith(own + "."))
                        .forEach(key -> WorkerKeys.error(
                                values,
                                key,
                                "is read only with " + own + ": set that, or remove it, since the trial converts by "
                                        + converter + DeadLetterConfig.DELEGATE_SUFFIX));
            }
        }
        checkTransforms(properties, values);
    }

    /** A transform that fails on a dead letter would fail the task for the first event that cannot be delivered. */
    private static void checkTransforms(Map<String, String> properties, Map<String, ConfigValue> values) {
        WorkerKeys.transforms(properties).forEach((name, type) -> {
            String key = WorkerKeys.TRANSFORMS + "." + name;
            if (ContentTransforms.isOfKafka(type) && WorkerKeys.isBlank(properties, key + ".predicate")) {
                WorkerKeys.error(
                        values,
                        key + ".predicate",
                        "is missing: with " + TRY
                                + " dead letters pass through transforms, and this one reads keys or values. "
                                + "Name a predicate of type "
                                + "org.apache.kafka.connect.transforms.predicates.TopicNameMatches whose pattern is "
                                + "the "
                                + DeadLetterConfig.TOPIC_CONFIG + ", and set " + key + ".negate=true");
            }
        });
    }

    private static void checkClass(
            String key, String converter, Map<String, String> properties, Map<String, ConfigValue> values) {
        if (WorkerKeys.isBlank(properties, key)) {
            if (!converter.equals(DeadLetterConfig.HEADER_CONVERTER)) {
                WorkerKeys.error(values, key, "is missing: name the class that " + converter + " would name");
            }
        } else if (!ConverterConfig.isInstalled(properties.get(key))) {
            WorkerKeys.error(values, key, "names a class that is not installed on this worker");
        }
    }

    private static void checkSizes(
            Map<String, String> properties, Map<String, ConfigValue> values, String limitKey, long limitBytes) {
        if (limitBytes < DeadLetterConfig.MIN_MAX_BYTES) {
            WorkerKeys.error(
                    values,
                    limitKey,
                    "must be at least " + DeadLetterConfig.MIN_MAX_BYTES + " with " + DeadLetterConfig.TOPIC_CONFIG
                            + ", so that a dead letter has room for its cause");
        }
        if (WorkerKeys.number(properties, DeadLetterConfig.MAX_BYTES_CONFIG).orElse(0) > limitBytes) {
            WorkerKeys.error(
                    values,
                    DeadLetterConfig.MAX_BYTES_CONFIG,
                    "must not exceed " + limitKey
                            + ": the producer would refuse larger records. Lower this, or raise that");
        }
    }
}
