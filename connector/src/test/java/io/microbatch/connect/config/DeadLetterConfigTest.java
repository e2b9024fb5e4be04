package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeadLetterConfigTest {

    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    private static final String MIXED = "io.microbatch.connect.transforms.MixedHeaderConverter";
    private static final String DEAD_LETTER = "io.microbatch.connect.transforms.DeadLetterConverter";
    private static final String STRING = "org.apache.kafka.connect.storage.StringConverter";

    private final Map<String, String> sound = new HashMap<>(Map.of(
            "upstream.connector.class", "org.example.Any",
            "key.converter", BYTES,
            "value.converter", BYTES,
            "header.converter", BYTES,
            "deadletter.topic", "dead",
            "deadletter.key.converter", STRING,
            "deadletter.value.converter", STRING,
            "deadletter.value.converter.converter.encoding", "UTF-16"));

    private Map<String, List<String>> problems() {
        Map<String, List<String>> problems = new TreeMap<>();
        ConfigCheck.check(sound).forEach((key, value) -> {
            if (!value.errorMessages().isEmpty()) {
                problems.put(key, value.errorMessages());
            }
        });
        return problems;
    }

    private DeadLetterConfig read() {
        return new MicrobatchConfig(sound).deadLetter().orElseThrow();
    }

    @Test
    void acceptsAValidConfiguration() {
        assertThat(problems()).isEmpty();
    }

    @Test
    void readsConvertersWithTheirOwnSettings() {
        assertThat(read().topic()).isEqualTo("dead");
        assertThat(read().converter("value.converter"))
                .isEqualTo(new ConverterConfig(STRING, Map.of("converter.encoding", "UTF-16")));
        assertThat(read().converter("header.converter").className())
                .isEqualTo("org.apache.kafka.connect.storage.SimpleHeaderConverter");
    }

    @Test
    void printsNoSettingsOfItsConverters() {
        sound.put("deadletter.value.converter.basic.auth.user.info", "me:hunter2");
        assertThat(read())
                .asString()
                .contains("topic=dead", sound.size() + " properties")
                .doesNotContain("hunter2");
        assertThat(read().converter("value.converter"))
                .asString()
                .contains(STRING, "2 settings")
                .doesNotContain("hunter2", "UTF-16");
    }

    @Test
    void usesTheLimitOfTheProducerByDefault() {
        assertThat(read().maxBytes()).isEqualTo(1_048_576);
        sound.put("producer.override.max.request.size", "500000");
        assertThat(read().maxBytes()).isEqualTo(500_000);
        sound.put("deadletter.max.bytes", "400000");
        assertThat(read().maxBytes()).isEqualTo(400_000);
        assertThat(problems()).isEmpty();
        sound.put("deadletter.max.bytes", "500001");
        assertThat(problems()).containsOnlyKeys("deadletter.max.bytes");
    }

    /** The producer refuses a record that is larger than its memory, too. */
    @Test
    void usesTheMemoryOfTheProducerAsALimit() {
        sound.put("producer.override.max.request.size", "50000000");
        assertThat(read().maxBytes()).as("the default of buffer.memory").isEqualTo(33_554_432);
        assertThat(read().limitKey()).isEqualTo("producer.override.buffer.memory");
        sound.put("producer.override.buffer.memory", "40000000");
        assertThat(read().maxBytes()).isEqualTo(40_000_000);
        sound.put("producer.override.buffer.memory", "60000000");
        assertThat(read().maxBytes()).isEqualTo(50_000_000);
        assertThat(read().limitKey()).isEqualTo("producer.override.max.request.size");

        sound.put("deadletter.max.bytes", "45000000");
        assertThat(read().maxBytes()).isEqualTo(45_000_000);
        assertThat(read().limitKey()).isEqualTo("deadletter.max.bytes");
        assertThat(problems()).isEmpty();
        sound.remove("producer.override.buffer.memory");
        assertThat(read().maxBytes())
                .as("the worker's producers have more memory")
                .isEqualTo(45_000_000);
        assertThat(problems()).isEmpty();
        sound.put("producer.override.buffer.memory", "44999999");
        assertThat(read().maxBytes()).isEqualTo(44_999_999);
        assertThat(problems()).containsOnlyKeys("deadletter.max.bytes");
        assertThat(problems().get("deadletter.max.bytes").toString())
                .contains("producer.override.buffer.memory", "Lower", "raise")
                .doesNotContain("max.request.size");
    }

    @Test
    void refusesALimitWithoutRoomForTheCause() {
        for (String key : List.of("producer.override.max.request.size", "producer.override.buffer.memory")) {
            sound.put(key, "16383");
            assertThat(problems()).containsOnlyKeys(key);
            assertThat(problems().get(key).toString()).contains(key, "16384");
            sound.remove(key);
        }
    }

    @Test
    void usesTheRetryTimeoutOfTheWorker() {
        assertThat(read().retryTimeoutMs()).isZero();
        sound.put("errors.retry.timeout", "-1");
        assertThat(read().retryTimeoutMs()).isEqualTo(-1);
    }

    @Test
    void requiresByteArrayConvertersOfTheWorker() {
        sound.remove("header.converter");
        sound.put("value.converter", STRING);
        assertThat(problems()).containsOnlyKeys("header.converter", "value.converter");
        assertThat(problems().get("value.converter").toString()).contains(BYTES).contains("deadletter.value.converter");
    }

    @Test
    void requiresAConverterForHeadersThatTransformsAdd() throws ClassNotFoundException {
        sound.put("transforms", "route, stamp");
        sound.put("transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter");
        assertThat(problems()).isEmpty();
        for (String type : List.of(
                "io.microbatch.connect.transforms.StampPressure",
                "org.apache.kafka.connect.transforms.InsertHeader",
                // Connect also takes simple names.
                "StampPressure",
                "InsertHeader")) {
            sound.put("header.converter", BYTES);
            sound.put("transforms.stamp.type", type);
            assertThat(problems()).containsOnlyKeys("header.converter");
            assertThat(problems().get("header.converter").toString()).contains(MIXED);
            sound.put("header.converter", MIXED);
            assertThat(problems()).isEmpty();
        }
        assertThat(Class.forName(MIXED)).isNotNull();
        sound.put("value.converter", MIXED);
        assertThat(problems()).containsOnlyKeys("value.converter");
    }

    @Test
    void leavesRoomForHeadersThatTransformsAdd() {
        sound.put("transforms", "stamp");
        assertThat(read().maxBytes()).isEqualTo(1_048_576 - 1_024);
        sound.put("producer.override.max.request.size", "500000");
        assertThat(read().maxBytes()).isEqualTo(500_000 - 1_024);
        sound.put("deadletter.max.bytes", "500000");
        assertThat(read().maxBytes()).isEqualTo(500_000 - 1_024);
        sound.put("deadletter.max.bytes", "400000");
        assertThat(read().maxBytes()).isEqualTo(400_000);
        sound.remove("producer.override.max.request.size");
        assertThat(read().maxBytes())
                .as("without a known limit of the producer")
                .isEqualTo(400_000);
        sound.put("deadletter.max.bytes", "1048576");
        assertThat(read().maxBytes()).as("the producer's default").isEqualTo(1_048_576 - 1_024);
        sound.put("deadletter.max.bytes", "2000000");
        assertThat(read().maxBytes()).as("the worker's producers take more").isEqualTo(2_000_000 - 1_024);
        sound.put("transforms", " ");
        sound.put("deadletter.max.bytes", "500000");
        assertThat(read().maxBytes()).isEqualTo(500_000);
    }

    @Test
    void requiresInstalledConvertersForTheTask() {
        sound.remove("deadletter.key.converter");
        sound.put("deadletter.value.converter", "org.example.NoSuch");
        assertThat(problems()).containsOnlyKeys("deadletter.key.converter", "deadletter.value.converter");
    }

    /** Changes the sound configuration to trial conversion: transforms see the events themselves. */
    private void useTrialConversion() {
        sound.put("deadletter.mode", "try");
        sound.remove("deadletter.key.converter");
        sound.remove("deadletter.value.converter");
        sound.remove("deadletter.value.converter.converter.encoding");
        for (String converter : List.of("key.converter", "value.converter", "header.converter")) {
            sound.put(converter, DEAD_LETTER);
        }
        sound.put("key.converter.delegate", STRING);
        sound.put("value.converter.delegate", STRING);
        sound.put("value.converter.delegate.converter.encoding", "UTF-16");
    }

    @Test
    void usesTheDelegatesOfTheWorkersConvertersForTrials() throws ClassNotFoundException {
        assertThat(read().mode()).isEqualTo(DeadLetterConfig.Mode.CONVERT);
        useTrialConversion();
        assertThat(problems()).isEmpty();
        assertThat(read().mode()).isEqualTo(DeadLetterConfig.Mode.TRY);
        assertThat(read().converter("key.converter")).isEqualTo(new ConverterConfig(STRING, Map.of()));
        assertThat(read().converter("value.converter"))
                .isEqualTo(new ConverterConfig(STRING, Map.of("converter.encoding", "UTF-16")));
        assertThat(read().converter("header.converter").className())
                .isEqualTo("org.apache.kafka.connect.storage.SimpleHeaderConverter");
        sound.put("header.converter.delegate", STRING);
        assertThat(read().converter("header.converter").className()).isEqualTo(STRING);
        assertThat(Class.forName(DEAD_LETTER)).isNotNull();
    }

    @Test
    void usesItsOwnConvertersForTrialsIfSet() {
        useTrialConversion();
        sound.put("deadletter.value.converter", STRING);
        sound.put("deadletter.value.converter.any", "thing");
        assertThat(problems()).isEmpty();
        assertThat(read().converter("value.converter")).isEqualTo(new ConverterConfig(STRING, Map.of("any", "thing")));
        sound.remove("deadletter.value.converter");
        assertThat(problems()).containsOnlyKeys("deadletter.value.converter.any");
        sound.put("deadletter.value.converter", "org.example.NoSuch");
        assertThat(problems()).containsOnlyKeys("deadletter.value.converter");
    }

    @Test
    void requiresDeadLetterConvertersOfTheWorkerForTrials() {
        useTrialConversion();
        sound.remove("header.converter");
        sound.put("key.converter", STRING);
        sound.put("value.converter", BYTES);
        assertThat(problems()).containsOnlyKeys("header.converter", "key.converter", "value.converter");
        assertThat(problems().get("key.converter").toString())
                .contains(DEAD_LETTER, "key.converter.delegate", "mode=try");
    }

    @Test
    void requiresInstalledDelegates() {
        useTrialConversion();
        sound.remove("key.converter.delegate");
        sound.put("value.converter.delegate", "org.example.NoSuch");
        sound.put("header.converter.delegate", "org.example.NoSuch");
        assertThat(problems())
                .containsOnlyKeys("key.converter.delegate", "value.converter.delegate", "header.converter.delegate");
        assertThat(problems().get("key.converter.delegate").toString()).contains("is missing");
    }

    @Test
    void requiresAPredicateForTransformsThatReadDeadLetters() {
        useTrialConversion();
        sound.put("transforms", "unwrap, route, add");
        sound.put("transforms.unwrap.type", "io.debezium.transforms.ExtractNewRecordState");
        sound.put("transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter");
        for (String type : List.of("InsertField$Value", "Cast$Key", "ValueToKey", "HeaderFrom$Value")) {
            sound.put("transforms.add.type", "org.apache.kafka.connect.transforms." + type);
            sound.remove("transforms.add.predicate");
            assertThat(problems()).containsOnlyKeys("transforms.add.predicate");
            assertThat(problems().get("transforms.add.predicate").toString())
                    .contains("TopicNameMatches", "deadletter.topic", "transforms.add.negate=true");
            sound.put("transforms.add.predicate", "dead");
            assertThat(problems()).isEmpty();
        }
        sound.put("transforms.add.type", "ValueToKey");
        sound.remove("transforms.add.predicate");
        assertThat(problems()).as("Connect also takes simple names").containsOnlyKeys("transforms.add.predicate");
        sound.put("transforms.add.predicate", "dead");
        for (String type : List.of("InsertHeader", "Filter", "TimestampRouter")) {
            sound.put("transforms.add.type", "org.apache.kafka.connect.transforms." + type);
            sound.remove("transforms.add.predicate");
            assertThat(problems()).isEmpty();
        }
    }

    @Test
    void refusesTrialConversionOfBulkRecords() {
        useTrialConversion();
        sound.put("bulk.enabled", "true");
        sound.put("key.converter", BYTES);
        sound.put("value.converter", BYTES);
        assertThat(problems()).containsOnlyKeys("deadletter.mode");
        assertThat(problems().get("deadletter.mode").toString()).contains("bulk.enabled=true", "must be convert");
    }

    @Test
    void checksSizesInBothModes() {
        useTrialConversion();
        sound.put("producer.override.max.request.size", "16383");
        assertThat(problems()).containsOnlyKeys("producer.override.max.request.size");
    }

    @Test
    void refusesAnUnknownMode() {
        sound.put("deadletter.mode", "guess");
        assertThat(problems()).containsOnlyKeys("deadletter.mode");
    }

    @Test
    void refusesUnusedKeysWithoutATopic() {
        sound.remove("deadletter.topic");
        assertThat(problems())
                .containsOnlyKeys(
                        "deadletter.key.converter",
                        "deadletter.value.converter",
                        "deadletter.value.converter.converter.encoding");
        assertThat(new MicrobatchConfig(sound).deadLetter()).isEmpty();
    }

    @Test
    void suggestsTheIntendedKey() {
        sound.put("deadletter.topik", "x");
        assertThat(problems().get("deadletter.topik").toString()).contains("did you mean deadletter.topic?");
    }

    /** Otherwise the first bad event fails the task, again and again. */
    @Test
    void requiresANameThatATopicCanHave() {
        for (String name : List.of("orders/dead", "orders dead", "..", "a".repeat(250))) {
            sound.put("deadletter.topic", name);
            assertThat(problems()).as(name).containsOnlyKeys("deadletter.topic");
        }
        sound.put("deadletter.topic", "__dead");
        assertThat(problems()).isEmpty();
    }

    @Test
    void takesBlankValuesForNone() {
        sound.put("deadletter.header.converter", "");
        assertThat(problems()).isEmpty();
        assertThat(read().converter("header.converter").className())
                .isEqualTo("org.apache.kafka.connect.storage.SimpleHeaderConverter");
        useTrialConversion();
        sound.put("deadletter.mode", "try ");
        sound.put("header.converter.delegate", "");
        assertThat(problems()).isEmpty();
        assertThat(read().converter("header.converter").className())
                .isEqualTo("org.apache.kafka.connect.storage.SimpleHeaderConverter");
    }
}
