package io.microbatch.connect.config;

import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigValue;

/**
 * Known transforms that read or change a key or a value. Connect also takes the simple names of those that are no
 * nested classes. Stateless; any thread.
 */
final class ContentTransforms {

    private static final Pattern KAFKAS = Pattern.compile(
            "(?:org[.]apache[.]kafka[.]connect[.]transforms[.])?(Cast|ExtractField|Flatten|HeaderFrom|HoistField"
                    + "|InsertField|MaskField|ReplaceField|SetSchemaMetadata|TimestampConverter|ValueToKey)([$].*)?");

    /** All of Debezium's read change events. A simple name that Kafka has too, such as Filter, is Kafka's. */
    private static final Pattern DEBEZIUMS = Pattern.compile("io[.]debezium[.].*|ByLogicalTableRouter"
            + "|ContentBasedRouter|ConvertCloudEventToSaveableForm|DecodeLogicalDecodingMessageContent|EventRouter"
            + "|ExtractChangedRecordState|ExtractNewDocumentState|ExtractNewRecordState"
            + "|ExtractSchemaToNewRecord|HeaderToValue|MongoEventRouter|PartitionRouting|ReadToInsertEvent"
            + "|SchemaChangeEventFilter|SwapGeometryCoordinates|TimescaleDb|TimezoneConverter"
            + "|VectorToJsonConverter");

    /** The keys of the expressions of Debezium's scripting transforms, which may read topic and headers only. */
    private static final Map<String, String> EXPRESSIONS = Map.of(
            "io.debezium.transforms.Filter", ".condition",
            "io.debezium.transforms.ContentBasedRouter", ".topic.expression",
            "ContentBasedRouter", ".topic.expression");

    private static final Pattern READS_CONTENT = Pattern.compile("\\b(key|value)\\b");

    private static final String OWN_PACKAGE = "io.microbatch.connect.transforms.";
    private static final String EVENT_TIME_FIELD = ".event.time.field";

    private ContentTransforms() {}

    /** Whether a class or simple name is that of a transform of Kafka's that reads or changes keys or values. */
    static boolean isOfKafka(String type) {
        return KAFKAS.matcher(type).matches();
    }

    /**
     * Refuses transforms that would fail on every event, or do nothing without a message.
     *
     * @param with the setting that shows them bytes
     * @param remedy what to do instead of removing the transform
     */
    static void refuse(Map<String, String> properties, Map<String, ConfigValue> values, String with, String remedy) {
        WorkerKeys.transforms(properties).forEach((name, type) -> {
            String key = WorkerKeys.TRANSFORMS + "." + name;
            if (isOfKafka(type) || (DEBEZIUMS.matcher(type).matches() && readsContent(properties, key, type))) {
                WorkerKeys.error(
                        values,
                        key + ".type",
                        "names a transform that reads keys or values. With " + with
                                + " transforms see only bytes, so that it would fail on every event or do nothing: "
                                + remedy + ", or remove the transform");
            } else if (readsTimeField(properties, key, type)) {
                WorkerKeys.error(
                        values,
                        key + EVENT_TIME_FIELD,
                        "names a field of the value. With " + with
                                + " transforms see only bytes, so that the time of no event would be known: " + remedy
                                + ", or remove this key, so that the record's timestamp is used");
            }
        });
    }

    private static boolean readsContent(Map<String, String> properties, String key, String type) {
        String expression = EXPRESSIONS.containsKey(type) ? properties.get(key + EXPRESSIONS.get(type)) : null;
        return expression == null || READS_CONTENT.matcher(expression).find();
    }

    private static boolean readsTimeField(Map<String, String> properties, String key, String type) {
        if (WorkerKeys.isBlank(properties, key + EVENT_TIME_FIELD)) {
            return false;
        }
        String own = type.startsWith(OWN_PACKAGE) ? type.substring(OWN_PACKAGE.length()) : type;
        return own.equals("ObservePressure")
                || (own.equals("RouteByPressure") && "age".equals(properties.get(key + ".route.by")));
    }
}
