package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transforms that read keys or values, where transforms see only bytes. */
class ContentTransformsTest {

    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    private static final String MIXED = "io.microbatch.connect.transforms.MixedHeaderConverter";
    private static final String STRING = "org.apache.kafka.connect.storage.StringConverter";
    private static final String OWN = "io.microbatch.connect.transforms.";
    private static final String TYPE = "transforms.x.type";
    private static final String FIELD = "transforms.x.event.time.field";

    private final Map<String, String> deadLetters = new HashMap<>(Map.of(
            "upstream.connector.class", "org.example.Any",
            "key.converter", BYTES,
            "value.converter", BYTES,
            "header.converter", MIXED,
            "deadletter.topic", "dead",
            "deadletter.key.converter", STRING,
            "deadletter.value.converter", STRING,
            "transforms", "route, x",
            "transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter"));

    private final Map<String, String> bulk = new HashMap<>(Map.of(
            "upstream.connector.class", "org.example.Any",
            "key.converter", BYTES,
            "value.converter", BYTES,
            "bulk.enabled", "true",
            "bulk.inner.key.converter", STRING,
            "bulk.inner.value.converter", STRING,
            "transforms", "x"));

    private static Map<String, List<String>> problems(Map<String, String> properties) {
        Map<String, List<String>> problems = new TreeMap<>();
        ConfigCheck.check(properties).forEach((key, value) -> {
            if (!value.errorMessages().isEmpty()) {
                problems.put(key, value.errorMessages());
            }
        });
        return problems;
    }

    private Map<String, List<String>> problemsWithDeadLetters(String type) {
        deadLetters.put(TYPE, type);
        return problems(deadLetters);
    }

    private Map<String, List<String>> problemsWithBulk(String type) {
        bulk.put(TYPE, type);
        return problems(bulk);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.connect.transforms.Cast$Value",
                "org.apache.kafka.connect.transforms.ExtractField$Key",
                "org.apache.kafka.connect.transforms.Flatten$Value",
                "org.apache.kafka.connect.transforms.HeaderFrom$Key",
                "org.apache.kafka.connect.transforms.HoistField$Value",
                "org.apache.kafka.connect.transforms.InsertField$Value",
                "org.apache.kafka.connect.transforms.MaskField$Key",
                "org.apache.kafka.connect.transforms.ReplaceField$Value",
                "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
                "org.apache.kafka.connect.transforms.TimestampConverter$Value",
                "org.apache.kafka.connect.transforms.ValueToKey",
                " ValueToKey ",
                "io.debezium.transforms.ExtractNewRecordState",
                "io.debezium.transforms.ExtractChangedRecordState",
                "io.debezium.transforms.ByLogicalTableRouter",
                "io.debezium.transforms.ContentBasedRouter",
                "io.debezium.transforms.Filter",
                "io.debezium.transforms.HeaderToValue",
                "io.debezium.transforms.TimezoneConverter",
                "io.debezium.transforms.outbox.EventRouter",
                "io.debezium.transforms.partitions.PartitionRouting",
                "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
                "ExtractNewRecordState",
                "EventRouter"
            })
    void areRefusedWithConvertedAndWithPackedEvents(String type) {
        assertThat(problemsWithDeadLetters(type)).containsOnlyKeys(TYPE);
        assertThat(problemsWithDeadLetters(type).get(TYPE))
                .singleElement()
                .asString()
                .contains(TYPE, "set deadletter.mode=try");
        assertThat(problemsWithBulk(type)).containsOnlyKeys(TYPE);
        assertThat(problemsWithBulk(type).get(TYPE))
                .singleElement()
                .asString()
                .contains(TYPE, "bulk.enabled")
                .doesNotContain("=try");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.connect.transforms.DropHeaders",
                "org.apache.kafka.connect.transforms.Filter",
                "org.apache.kafka.connect.transforms.InsertHeader",
                "org.apache.kafka.connect.transforms.RegexRouter",
                "org.apache.kafka.connect.transforms.TimestampRouter",
                "Filter",
                OWN + "StampPressure",
                OWN + "RouteByPressure",
                OWN + "ObservePressure",
                "org.example.Any"
            })
    void areNotThoseOfTopicsAndHeaders(String type) {
        assertThat(problemsWithDeadLetters(type)).isEmpty();
        assertThat(problemsWithBulk(type)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "io.debezium.transforms.Filter, condition",
        "io.debezium.transforms.ContentBasedRouter, topic.expression",
        "ContentBasedRouter, topic.expression"
    })
    void areNotScriptsThatReadTopicsAndHeadersOnly(String type, String expression) {
        String key = TYPE.replace(".type", "." + expression);
        for (Map<String, String> config : List.of(deadLetters, bulk)) {
            config.put(key, "topic != 'shop.audit' && header.keyed.value1 == null");
        }
        assertThat(problemsWithDeadLetters(type)).isEmpty();
        assertThat(problemsWithBulk(type)).isEmpty();
        deadLetters.put(key, "value.op == 'u'");
        bulk.put(key, "key.id > 7");
        assertThat(problemsWithDeadLetters(type)).containsOnlyKeys(TYPE);
        assertThat(problemsWithBulk(type)).containsOnlyKeys(TYPE);
    }

    @Test
    void areRefusedOnceForBulkRecordsWithDeadLetters() {
        deadLetters.put("bulk.enabled", "true");
        assertThat(problemsWithDeadLetters("io.debezium.transforms.ExtractNewRecordState"))
                .containsOnlyKeys(TYPE);
        assertThat(problems(deadLetters).get(TYPE)).singleElement().asString().contains("bulk.enabled");
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN + "ObservePressure", "ObservePressure", OWN + "RouteByPressure", "RouteByPressure"})
    void areOurOwnThatReadTheTimeOfAnEvent(String type) {
        for (Map<String, String> properties : List.of(deadLetters, bulk)) {
            properties.put(TYPE, type);
            properties.put("transforms.x.route.by", "age");
            properties.put(FIELD, "source.ts_ms");
            assertThat(problems(properties)).containsOnlyKeys(FIELD);
            assertThat(problems(properties).get(FIELD))
                    .singleElement()
                    .asString()
                    .contains("the record's timestamp");
            properties.put(FIELD, " ");
            assertThat(problems(properties)).isEmpty();
        }
    }

    @Test
    void areNotThoseThatRouteByLevel() {
        deadLetters.put(FIELD, "source.ts_ms");
        assertThat(problemsWithDeadLetters(OWN + "RouteByPressure")).isEmpty();
    }

    @Test
    void areAcceptedWhereTheySeeEvents() {
        deadLetters.keySet().removeIf(key -> key.startsWith("deadletter."));
        assertThat(problemsWithDeadLetters("io.debezium.transforms.ExtractNewRecordState"))
                .isEmpty();
        deadLetters.put(FIELD, "source.ts_ms");
        assertThat(problemsWithDeadLetters(OWN + "ObservePressure")).isEmpty();
    }
}
