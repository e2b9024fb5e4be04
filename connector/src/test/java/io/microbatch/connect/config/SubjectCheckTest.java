package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectCheckTest {

    private final Map<String, String> properties = new HashMap<>(Map.of(
            "deadletter.topic", "dead",
            "deadletter.key.converter", "org.apache.kafka.connect.storage.StringConverter",
            "deadletter.value.converter", "io.confluent.connect.avro.AvroConverter",
            "deadletter.value.converter.schema.registry.url", "http://me:hunter2@registry",
            "transforms", "unwrap,route",
            "transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter"));

    private List<String> warnings() {
        return SubjectCheck.warnings(properties);
    }

    @Test
    void namesTheConverterTheTransformAndTheRemedies() {
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("deadletter.value.converter ")
                .contains("transforms.route", "subject naming strategy", "deadletter.mode=try")
                .doesNotContain("hunter2");
    }

    @Test
    void concernsBulkRecordsToo() {
        properties.keySet().removeIf(key -> key.startsWith("deadletter."));
        assertThat(warnings()).isEmpty();
        properties.put("bulk.enabled", "true");
        properties.put("bulk.inner.key.converter", "io.apicurio.registry.utils.converter.AvroConverter");
        properties.put("bulk.inner.key.converter.apicurio.registry.url", "http://registry");
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("bulk.inner.key.converter ")
                .doesNotContain("deadletter.mode");
        properties.put("bulk.enabled", "false");
        assertThat(warnings()).isEmpty();
    }

    @Test
    void offersNoTrialsForBulkRecords() {
        properties.put("bulk.enabled", "true");
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("deadletter.value.converter ")
                .doesNotContain("deadletter.mode");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RegexRouter",
                "org.apache.kafka.connect.transforms.TimestampRouter",
                " io.microbatch.connect.transforms.RouteByPressure",
                "RouteByPressure",
                "io.confluent.connect.transforms.TopicRegexRouter",
                "io.confluent.connect.transforms.MessageTimestampRouter",
                "io.debezium.transforms.ContentBasedRouter"
            })
    void knowsTransformsThatRenameTopics(String type) {
        properties.put("transforms.route.type", type);
        assertThat(warnings()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "StampPressure", "org.apache.kafka.connect.transforms.InsertHeader", "org.example.Any"})
    void ignoresOtherTransforms(String type) {
        properties.put("transforms.route.type", type);
        assertThat(warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "value.subject.name.strategy, io.confluent.kafka.serializers.subject.RecordNameStrategy, 0",
        "value.subject.name.strategy, io.confluent.kafka.serializers.subject.TopicRecordNameStrategy, 1",
        "apicurio.registry.artifact-resolver-strategy, io.apicurio.registry.serde.avro.strategy.RecordIdStrategy, 0",
        "apicurio.registry.artifact-resolver-strategy, io.apicurio.registry.serde.strategy.SimpleTopicIdStrategy, 1"
    })
    void acceptsAStrategyWithoutTheTopic(String key, String strategy, int count) {
        properties.put("deadletter.value.converter." + key, strategy);
        assertThat(warnings()).hasSize(count);
    }

    @Test
    void acceptsTheTrialConversion() {
        properties.put("deadletter.mode", " Try");
        assertThat(warnings()).isEmpty();
    }

    @Test
    void acceptsConvertersWithoutARegistry() {
        properties.remove("deadletter.value.converter.schema.registry.url");
        properties.put("deadletter.value.converter.schemas.enable", "true");
        assertThat(warnings()).isEmpty();
        assertThat(SubjectCheck.warnings(Map.of())).isEmpty();
    }
}
