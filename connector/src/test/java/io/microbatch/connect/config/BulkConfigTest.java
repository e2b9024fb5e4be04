package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.bulk.BulkLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkConfigTest {

    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    private static final String STRING = "org.apache.kafka.connect.storage.StringConverter";

    private final Map<String, String> properties = new HashMap<>(Map.of(
            "upstream.type", "synthetic",
            "upstream.synthetic.topic", "t",
            "calibration.enabled", "false",
            "bulk.enabled", "true",
            "key.converter", BYTES,
            "value.converter", BYTES));

    private List<String> errors(String key) {
        ConfigValue value = ConfigCheck.check(properties).get(key);
        return value == null ? List.of() : value.errorMessages();
    }

    private List<String> errors() {
        return ConfigCheck.check(properties).values().stream()
                .flatMap(value -> value.errorMessages().stream())
                .toList();
    }

    private void host() {
        properties.remove("upstream.type");
        properties.remove("upstream.synthetic.topic");
        properties.put("upstream.connector.class", "org.example.Any");
        properties.put("bulk.inner.key.converter", TestClass.class.getName());
        properties.put("bulk.inner.value.converter", TestClass.class.getName());
    }

    /** A class that exists. */
    private static final class TestClass {}

    @Test
    void isDisabledByDefault() {
        assertThat(new MicrobatchConfig(Map.of()).bulk()).isEmpty();
        BulkConfig bulk = new MicrobatchConfig(properties).bulk().orElseThrow();
        assertThat(bulk.maxBytes()).isEqualTo(900_000);
        assertThat(errors()).isEmpty();
    }

    @Test
    void printsNoSettings() {
        host();
        properties.put("upstream.connector.database.password", "hunter2");
        assertThat(new MicrobatchConfig(properties).bulk().orElseThrow())
                .asString()
                .contains("maxBytes=900000", properties.size() + " properties")
                .doesNotContain("hunter2", "password");
    }

    @ParameterizedTest
    @ValueSource(strings = {"key.converter", "value.converter"})
    void requiresByteArrayConvertersOfTheWorker(String converter) {
        properties.put(converter, STRING);
        assertThat(errors(converter)).singleElement().asString().contains(converter, BYTES, "bulk.inner." + converter);
        properties.remove(converter);
        assertThat(errors(converter)).as("the worker's default is unknown here").hasSize(1);
    }

    @Test
    void staysBelowTheLimitOfTheProducer() {
        properties.put("bulk.max.bytes", "1047552");
        assertThat(errors()).isEmpty();
        properties.put("bulk.max.bytes", "1047553");
        assertThat(errors("bulk.max.bytes"))
                .singleElement()
                .asString()
                .contains("max.request.size", "max.message.bytes");
        properties.put("producer.override.max.request.size", "2000000");
        assertThat(errors()).isEmpty();
        properties.put("producer.override.max.request.size", "500000");
        assertThat(errors("bulk.max.bytes")).hasSize(1);
        properties.remove("bulk.max.bytes");
        assertThat(errors("bulk.max.bytes"))
                .as("the check applies to the default too")
                .hasSize(1);
    }

    /** The producer refuses a record that is larger than its memory, too. */
    @Test
    void staysBelowTheMemoryOfTheProducer() {
        properties.put("producer.override.max.request.size", "50000000");
        properties.put("bulk.max.bytes", "33553408");
        assertThat(errors()).isEmpty();
        properties.put("bulk.max.bytes", "33553409");
        assertThat(errors("bulk.max.bytes"))
                .singleElement()
                .asString()
                .contains("producer.override.buffer.memory", "33554432", "Lower", "raise")
                .doesNotContain("max.request.size");
        properties.put("producer.override.buffer.memory", "40000000");
        assertThat(errors()).isEmpty();
        properties.put("producer.override.buffer.memory", "800000");
        properties.remove("bulk.max.bytes");
        assertThat(errors("bulk.max.bytes"))
                .as("the check applies to the default too")
                .hasSize(1);
        properties.remove("producer.override.max.request.size");
        properties.put("bulk.max.bytes", "2000000");
        assertThat(errors("bulk.max.bytes")).as("both limits").hasSize(2);
    }

    @Test
    void requiresInnerConvertersForAHostedConnectorAndReadsTheirSettings() {
        host();
        properties.put("bulk.inner.value.converter.schemas.enable", "false");
        assertThat(errors()).isEmpty();
        ConverterConfig inner =
                new MicrobatchConfig(properties).bulk().orElseThrow().converter("value.converter");
        assertThat(inner.className()).isEqualTo(TestClass.class.getName());
        assertThat(inner.settings()).isEqualTo(Map.of("schemas.enable", "false"));

        properties.put("bulk.inner.key.converter", "org.example.Missing");
        assertThat(errors("bulk.inner.key.converter"))
                .singleElement()
                .asString()
                .contains("not installed");
        properties.remove("bulk.inner.key.converter");
        assertThat(errors("bulk.inner.key.converter"))
                .singleElement()
                .asString()
                .contains("is missing", "key.converter");
    }

    @Test
    void refusesUnusedInnerConverters() {
        properties.put("bulk.inner.value.converter", STRING);
        assertThat(errors("bulk.inner.value.converter"))
                .singleElement()
                .asString()
                .contains("upstream.type=synthetic");
        properties.remove("bulk.inner.value.converter");
        host();
        properties.put("deadletter.topic", "dead");
        assertThat(errors("bulk.inner.value.converter"))
                .singleElement()
                .asString()
                .contains("deadletter.topic");
    }

    @Test
    void makesNoRecordThatReadersRefuseByDefault() {
        properties.put("producer.override.max.request.size", "300000000");
        properties.put("producer.override.buffer.memory", "300000000");
        properties.put("bulk.max.bytes", Integer.toString(BulkLimits.DEFAULT_MAX_RECORD_BYTES));
        assertThat(errors()).isEmpty();
        properties.put("bulk.max.bytes", Integer.toString(BulkLimits.DEFAULT_MAX_RECORD_BYTES + 1));
        assertThat(errors("bulk.max.bytes")).singleElement().asString().contains("104857600");
    }

    /** MirrorMaker translates the offset of an event, and the events of a bulk record share an offset. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.connect.mirror.MirrorSourceConnector",
                "MirrorSourceConnector",
                " MirrorSource",
                "org.apache.kafka.connect.mirror.MirrorCheckpointConnector",
                "MirrorHeartbeat"
            })
    void refusesTheConnectorsOfMirrorMaker(String type) {
        host();
        assertThat(errors()).isEmpty();
        properties.put("upstream.connector.class", type);
        assertThat(errors()).hasSize(1);
        assertThat(errors("bulk.enabled")).singleElement().asString().contains("bulk.enabled", "MirrorMaker", "remove");
        properties.keySet().removeIf(key -> key.startsWith("bulk."));
        assertThat(errors()).isEmpty();
    }

    @Test
    void refusesItsKeysWhileDisabled() {
        properties.remove("bulk.enabled");
        properties.put("bulk.max.bytes", "100000");
        assertThat(errors("bulk.max.bytes")).singleElement().asString().contains("bulk.enabled=true");
    }

    @Test
    void suggestsTheIntendedKey() {
        properties.put("bulk.max.byte", "100000");
        assertThat(errors("bulk.max.byte")).singleElement().asString().contains("bulk.max.bytes");
    }

    @Test
    void limitsABatchByBytesAndTimeOnlyUnlessANumberIsSet() {
        assertThat(new MicrobatchConfig(properties).batch().maxEvents()).isEqualTo(1_000_000);
        properties.put("batch.max.records", "70");
        assertThat(new MicrobatchConfig(properties).batch().maxEvents()).isEqualTo(70);
        properties.remove("batch.max.records");
        properties.remove("bulk.enabled");
        assertThat(new MicrobatchConfig(properties).batch().maxEvents()).isEqualTo(50_000);
    }

    @Test
    void leavesRoomForTheFormatInTheLimitOfDeadLetters() {
        properties.put("deadletter.topic", "dead");
        int bulk = new MicrobatchConfig(properties).deadLetter().orElseThrow().maxBytes();
        properties.remove("bulk.enabled");
        int single = new MicrobatchConfig(properties).deadLetter().orElseThrow().maxBytes();
        assertThat(single - bulk).isEqualTo(BulkConfig.RECORD_MARGIN_BYTES);
    }

    @Test
    void takesABlankDeadLetterTopicForNone() {
        host();
        properties.put("deadletter.topic", "");
        assertThat(errors()).isEmpty();
        properties.remove("bulk.inner.value.converter");
        assertThat(errors("bulk.inner.value.converter")).hasSize(1);
    }
}
