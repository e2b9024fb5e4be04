package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.ConfigValidation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Errors of a configuration: each is reported at the key that the user wrote, with the remedy. */
@ExtendWith(Cluster.Shared.class)
class ValidationIT {

    private static final String FILE_SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector";
    private static final String POSTGRES = "io.debezium.connector.postgresql.PostgresConnector";

    private final Cluster cluster;

    ValidationIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void acceptsAValidConfiguration() {
        assertThat(validate(Map.of()).errors()).isEmpty();
    }

    @Test
    void suggestsTheIntendedKey() {
        assertError(Map.of("latency.taget.ms", "100"), "latency.taget.ms", "latency.target.ms");
    }

    @Test
    void refusesNumbersOutOfRange() {
        assertError(Map.of("latency.target.ms", "0"), "latency.target.ms", "between 1 and 30000");
        assertError(Map.of("batch.max.records", "0"), "batch.max.records", "at least 1");
        assertError(Map.of("batch.max.bytes", "1"), "batch.max.bytes", "at least 1024");
        assertError(Map.of("batch.linger.ms", "-1"), "batch.linger.ms", "at least 0");
    }

    @Test
    void listsTheInstalledConnectorsIfTheHostedOneIsMissing() {
        assertError(
                Map.of("upstream.connector.class", "com.example.NoSuchConnector"),
                "upstream.connector.class",
                "not installed",
                FILE_SOURCE,
                POSTGRES);
        assertError(Map.of("upstream.connector.class", "java.lang.String"), "upstream.connector.class", "not a source");
    }

    @Test
    void showsTheHostedConnectorsOwnErrorsUnderItsPrefix() {
        Map<String, String> missing = new HashMap<>();
        missing.put("upstream.connector.topic", null);
        assertError(missing, "upstream.connector.topic", "topic");
        assertError(Map.of("upstream.connector.batch.size", "many"), "upstream.connector.batch.size", "many");
    }

    /** A user interface must cope with a value without a definition. Such values occur only with errors. */
    @Test
    void returnsDefinitionsAndErrorsOnly() {
        JsonNode sound = answer(Map.of("upstream.connector.batch.size", "7"));
        assertThat(sound.path("error_count").asInt()).isZero();
        Set<String> defined = names(sound);
        assertThat(defined)
                .hasSize(sound.path("configs").size())
                .containsAll(MicrobatchConfig.definition().names())
                .noneMatch(name -> name.equals("upstream.connector.batch.size"));
        assertThat(sound.path("configs"))
                .allMatch(config -> config.path("definition").isObject());

        Map<String, String> wrong = new HashMap<>();
        wrong.put("upstream.connector.topic", null);
        wrong.put("upstream.connector.batch.size", "many");
        JsonNode refused = answer(wrong);
        assertThat(refused.path("error_count").asInt()).isEqualTo(2);
        Set<String> answered = names(refused);
        assertThat(answered).hasSize(refused.path("configs").size()).containsAll(defined);
        answered.removeAll(defined);
        assertThat(answered).containsExactly("upstream.connector.batch.size", "upstream.connector.topic");
        assertThat(refused.path("configs"))
                .allMatch(config -> config.path("definition").isObject()
                        || (!config.at("/value/errors").isEmpty()
                                && config.at("/value/value").isNull()));
    }

    /** As the worker itself accepts them in value.converter. */
    @Test
    void acceptsTheNamesOfConvertersThatConnectAccepts() {
        String bytes = "org.apache.kafka.connect.converters.ByteArrayConverter";
        Map<String, String> letters = new HashMap<>(Map.of(
                "deadletter.topic",
                "dead",
                "key.converter",
                bytes,
                "value.converter",
                bytes,
                "header.converter",
                bytes,
                "deadletter.key.converter",
                "StringConverter",
                "deadletter.value.converter",
                "JsonConverter"));
        assertThat(validate(letters).errors()).isEmpty();
        letters.put("deadletter.value.converter", "JasonConverter");
        assertError(letters, "deadletter.value.converter", "not installed");
    }

    @Test
    void acceptsTheNamesThatConnectAccepts() {
        for (String name : List.of("FileStreamSourceConnector", "FileStreamSource")) {
            assertThat(validate(Map.of("upstream.connector.class", name)).errors())
                    .isEmpty();
            assertError(
                    Map.of("upstream.connector.class", name, "upstream.connector.batch.size", "many"),
                    "upstream.connector.batch.size",
                    "many");
        }
        Map<String, String> postgres = new HashMap<>();
        postgres.put("upstream.connector.class", "Postgres");
        postgres.put("upstream.connector.topic", null);
        postgres.put("upstream.connector.file", null);
        assertError(postgres, "upstream.connector.topic.prefix", "required");
        assertError(
                Map.of("upstream.connector.class", "NoSuchSource"),
                "upstream.connector.class",
                "not installed",
                FILE_SOURCE,
                POSTGRES);
        assertError(Map.of("upstream.connector.class", "FileStreamSink"), "upstream.connector.class", "not a source");
        assertError(
                Map.of("upstream.connector.plugin.version", "4.3.1"),
                "upstream.connector.plugin.version",
                "cannot be set");
    }

    private static Set<String> names(JsonNode answer) {
        Set<String> names = new TreeSet<>();
        answer.path("configs")
                .forEach(config -> names.add(config.at("/value/name").asText()));
        return names;
    }

    private JsonNode answer(Map<String, String> changes) {
        return cluster.rest(Mode.EXACTLY_ONCE)
                .call("PUT", "/connector-plugins/" + Cluster.CONNECTOR + "/config/validate", config(changes));
    }

    @Test
    void requiresConversionInTheTaskForDeadLetters() {
        Map<String, String> changes = new HashMap<>();
        changes.put("deadletter.topic", "dead");
        changes.put("deadletter.key.converter", Lines.STRING);
        changes.put("deadletter.value.converter", "com.example.NoSuchConverter");
        changes.put("key.converter", Lines.STRING);
        assertError(changes, "key.converter", Lines.BYTES, "deadletter.key.converter");
        assertError(changes, "value.converter", Lines.BYTES);
        assertError(changes, "deadletter.value.converter", "not installed");

        changes.put("deadletter.value.converter", Lines.TEST_CONVERTER);
        changes.put("key.converter", Lines.BYTES);
        changes.put("value.converter", Lines.BYTES);
        changes.put("header.converter", Lines.BYTES);
        assertThat(validate(changes).errors()).isEmpty();
    }

    @Test
    void requiresByteArrayConvertersAndARequestSizeForBulkRecords() {
        Map<String, String> changes = new HashMap<>();
        changes.put("bulk.enabled", "true");
        changes.put("bulk.max.bytes", "1048576");
        changes.put("bulk.inner.key.converter", Lines.STRING);
        changes.put("bulk.inner.value.converter", "com.example.NoSuchConverter");
        changes.put("value.converter", Lines.STRING);
        assertError(changes, "key.converter", Lines.BYTES, "bulk.inner.key.converter");
        assertError(changes, "value.converter", Lines.BYTES, "bulk.inner.value.converter");
        assertError(changes, "bulk.inner.value.converter", "not installed");
        assertError(changes, "bulk.max.bytes", "producer.override.max.request.size");

        changes.put("bulk.max.bytes", "900000");
        changes.put("bulk.inner.value.converter", Lines.TEST_CONVERTER);
        changes.put("key.converter", Lines.BYTES);
        changes.put("value.converter", Lines.BYTES);
        assertThat(validate(changes).errors()).isEmpty();
    }

    @Test
    void refusesACalibrationDirectoryThatIsAFile() throws IOException {
        Path file = Files.writeString(cluster.directory().resolve("not-a-directory"), "");
        assertError(Map.of("calibration.directory", file.toString()), "calibration.directory", "not a directory");
    }

    @Test
    void neverShowsASecretOfTheHostedConnector() {
        Map<String, String> changes = new HashMap<>();
        changes.put("upstream.connector.class", POSTGRES);
        changes.put("upstream.connector.topic", null);
        changes.put("upstream.connector.file", null);
        changes.put("upstream.connector.topic.prefix", "t");
        changes.put("upstream.connector.database.hostname", "127.0.0.1");
        changes.put("upstream.connector.database.port", "1");
        changes.put("upstream.connector.database.user", "u");
        changes.put("upstream.connector.database.dbname", "d");
        changes.put("upstream.connector.database.password", "canary-4711");

        ConfigValidation validation = validate(changes);

        assertThat(validation.isValid()).isFalse();
        assertThat(validation.errors().keySet()).allMatch(key -> key.startsWith("upstream.connector."));
        assertThat(validation.toString()).doesNotContain("canary-4711");
    }

    private void assertError(Map<String, String> changes, String key, String... contains) {
        ConfigValidation validation = validate(changes);
        assertThat(validation.errors()).containsKey(key);
        assertThat(String.join(" ", validation.errors().get(key))).contains(contains);
    }

    private ConfigValidation validate(Map<String, String> changes) {
        return cluster.rest(Mode.EXACTLY_ONCE).validate(Cluster.CONNECTOR, config(changes));
    }

    private Map<String, String> config(Map<String, String> changes) {
        Map<String, String> config = new HashMap<>();
        config.put("name", "validated");
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.connector.class", FILE_SOURCE);
        config.put("upstream.connector.topic", "lines");
        config.put("upstream.connector.file", "/dev/null");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        changes.forEach((key, value) -> {
            if (value == null) {
                config.remove(key);
            } else {
                config.put(key, value);
            }
        });
        return config;
    }
}
