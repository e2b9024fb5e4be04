package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ConfigCheckTest {

    private static final String SECRET = "hunter2-and-more";

    private final Map<String, String> hosted = new HashMap<>(
            Map.of("name", "orders", "upstream.connector.class", "org.example.Any", "upstream.connector.url", "here"));
    private final Map<String, String> synthetic =
            new HashMap<>(Map.of("name", "load", "upstream.type", "synthetic", "upstream.synthetic.topic", "events"));

    @TempDir
    Path directory;

    @AfterEach
    void clearTheBaseDirectory() {
        System.clearProperty(CalibrationConfig.BASE_PROPERTY);
    }

    private static Map<String, List<String>> problems(Map<String, String> config) {
        Map<String, List<String>> problems = new HashMap<>();
        ConfigCheck.check(config).forEach((key, value) -> {
            assertThat(value.name()).isEqualTo(key);
            if (!value.errorMessages().isEmpty()) {
                problems.put(key, value.errorMessages());
            }
        });
        return problems;
    }

    private static void assertProblem(Map<String, String> config, String key, String... parts) {
        Map<String, List<String>> problems = problems(config);
        assertThat(problems).containsOnlyKeys(key);
        assertThat(problems.get(key)).singleElement().asString().contains(parts);
    }

    @Test
    void refusesAVersionOfTheHostedConnector() {
        hosted.put("upstream.connector.plugin.version", "[3.5,3.6)");
        assertProblem(
                hosted,
                "upstream.connector.plugin.version",
                "cannot be set",
                "The newest installed version",
                "this plugin's own directory");
        assertThat(ConfigCheck.essentialProblem(hosted)).isPresent();
    }

    @Test
    void refusesTheInternalKeysOfTaskConfigurations() {
        hosted.put("upstream.task.own.class", "c");
        assertProblem(hosted, "upstream.task.own.class", "Unknown key");
    }

    @Test
    void acceptsACompleteConfiguration() {
        assertThat(problems(hosted)).isEmpty();
        assertThat(problems(synthetic)).isEmpty();
    }

    @Test
    void ignoresKeysOfTheWorkerAndOfOtherPlugins() {
        hosted.put("transforms", "route");
        hosted.put("producer.override.linger.ms", "0");
        for (String boundary : List.of("poll", "connector", "interval")) {
            hosted.put("transaction.boundary", boundary);
            hosted.put("transaction.boundary.interval.ms", "20");
            assertThat(problems(hosted)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "latency.target.msec, latency.target.ms",
        "batch.max.record, batch.max.records",
        "stripe.max.byte, stripe.max.bytes",
        "pressure.windw.ms, pressure.window.ms",
        "calibration.dir, ''",
        "upstream.kind, upstream.type",
    })
    void suggestsTheNearestKeyForAMisspeltOne(String misspelt, String meant) {
        hosted.put(misspelt, "1");
        String cure = meant.isEmpty() ? "remove it" : "did you mean " + meant + "?";
        assertProblem(hosted, misspelt, "Unknown key " + misspelt, cure);
    }

    @Test
    void suggestsThePrefixOfTheHostedConnectorForAMisspeltPrefix() {
        hosted.put("upstream.conector.database.password", SECRET);
        assertProblem(hosted, "upstream.conector.database.password", "'upstream.connector.'");
    }

    @Test
    void refusesKeysOfTheOtherUpstream() {
        hosted.put("upstream.synthetic.rate", "10");
        assertProblem(hosted, "upstream.synthetic.rate", "read only with upstream.type=synthetic", "remove it");

        synthetic.put("upstream.connector.database.password", SECRET);
        assertProblem(synthetic, "upstream.connector.database.password", "read only with upstream.type=connector");
    }

    @Test
    void requiresTheHostedClassOrTheTopicOfTheGenerator() {
        hosted.put("upstream.connector.class", " ");
        assertProblem(hosted, "upstream.connector.class", "is missing", "upstream.type=synthetic");

        synthetic.remove("upstream.synthetic.topic");
        assertProblem(synthetic, "upstream.synthetic.topic", "is missing", "name the topic");
    }

    @Test
    void reportsAllProblemsTogetherEachAtItsKey() {
        Map<String, String> config = Map.of("upstream.type", "connector", "batch.max.records", "0", "stripe.cnt", "1");
        assertThat(problems(config)).containsOnlyKeys("upstream.connector.class", "batch.max.records", "stripe.cnt");
    }

    @ParameterizedTest
    @CsvSource({
        "upstream.type, kafka",
        "latency.target.ms, 0",
        "latency.target.ms, soon",
        "batch.mode, manual",
        "batch.max.records, 0",
        "batch.max.records, 1000001",
        "batch.max.bytes, 1023",
        "batch.linger.ms, -1",
        "batch.linger.ms, 30001",
        "pressure.smoothing.ms, 49",
        "pressure.window.ms, 999",
        "pressure.margin.ratio, 0.05",
        "pressure.margin.ratio, 1.1",
        "batch.max.filtered.bytes, 65535",
        "batch.offset.delay.ms, -2",
        "batch.offset.delay.ms, 101",
        "deadletter.max.bytes, 16383",
        "stripe.count, 0",
        "stripe.count, 65",
        "stripe.max.events, 1",
        "stripe.max.bytes, 65535",
        "calibration.enabled, maybe",
    })
    void refusesAValueOutOfRange(String key, String value) {
        hosted.put(key, value);
        Map<String, List<String>> problems = problems(hosted);
        assertThat(problems).containsKey(key);
        assertThat(problems.get(key)).first().asString().contains(key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partitions | 0",
                "rate | -1",
                "rate | fast",
                "rate | 10@5,20",
                "rate | 10@0s,20",
                "rate | 0,20",
                "rate | 10@1s,0",
                "rate | NaN",
                "events.per.partition | -1",
                "size.bytes | 39",
                "size.bytes | 100-50",
                "size.bytes | 100-",
                "size.bytes | 67108865",
                "payload | zeros",
                "seed | one",
            })
    void refusesInvalidSettingsOfTheGenerator(String key, String value) {
        synthetic.put("upstream.synthetic." + key, value);
        assertThat(problems(synthetic)).containsOnlyKeys("upstream.synthetic." + key);
    }

    @Test
    void suggestsToLeaveOutALatencyTargetOutOfRange() {
        hosted.put("latency.target.ms", "0");
        assertProblem(hosted, "latency.target.ms", "between 1 and 30000 milliseconds", "left out");
    }

    @Test
    void refusesACalibrationDirectoryThatIsAFileOrBelowAFile() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        hosted.put("calibration.directory", file.toString());
        assertProblem(
                hosted,
                "calibration.directory",
                "a file and not a directory",
                "leave it out",
                "calibration.enabled=false, which learns nothing");
        hosted.put("calibration.directory", file.resolve("below").toString());
        assertProblem(hosted, "calibration.directory", "a file and not a directory");
        hosted.put("calibration.enabled", "false");
        assertThat(problems(hosted)).isEmpty();
    }

    @Test
    void acceptsAMissingDirectoryAndCreatesNothing() {
        hosted.put("calibration.directory", directory.resolve("a/b/c").toString());
        assertThat(problems(hosted)).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void refusesARelativeDirectoryUnlessTheWorkerSetsABase() {
        hosted.put("calibration.directory", "kept/here");
        assertProblem(hosted, "calibration.directory", "must be absolute", CalibrationConfig.BASE_PROPERTY);

        System.setProperty(CalibrationConfig.BASE_PROPERTY, directory.toString());
        assertThat(problems(hosted)).isEmpty();
        assertThat(new MicrobatchConfig(hosted).calibration().directory()).isEqualTo(directory.resolve("kept/here"));
    }

    @ParameterizedTest
    @CsvSource({"../out", "a/../../out", "/out"})
    void refusesADirectoryOutsideOfTheWorkersBase(String outside) {
        System.setProperty(CalibrationConfig.BASE_PROPERTY, directory.toString());
        hosted.put("calibration.directory", outside);
        assertProblem(hosted, "calibration.directory", "must be inside", directory.toString());
    }

    @Test
    void showsNoSecretInAnyMessage() {
        Map<String, String> config = new HashMap<>();
        config.put("upstream.type", "synthetic");
        config.put("upstream.connector.database.password", SECRET);
        config.put("upstream.conector.database.password", SECRET);
        config.put("batch.password", SECRET);
        config.put("stripe.sasl.jaas.config", SECRET);
        Map<String, List<String>> problems = problems(config);
        assertThat(problems.keySet())
                .containsAll(config.keySet().stream()
                        .filter(key -> !key.equals("upstream.type"))
                        .toList());
        assertThat(problems.values().toString()).doesNotContain(SECRET);
        assertThat(ConfigCheck.check(config).values())
                .extracting(ConfigValue::value)
                .doesNotContain(SECRET);
    }

    @Test
    void runsWithoutCalibrationIfItsDirectoryIsUnusable() {
        Map<String, String> relative = new HashMap<>();
        relative.put("upstream.type", "synthetic");
        relative.put("upstream.synthetic.topic", "t");
        relative.put("calibration.directory", "relative");

        assertThat(ConfigCheck.check(relative).get("calibration.directory").errorMessages())
                .isNotEmpty();
        assertThat(ConfigCheck.essentialProblem(relative)).isEmpty();
        assertThat(new MicrobatchConfig(relative).calibration().enabled()).isFalse();
    }

    @Test
    void returnsTheFirstProblemThatPreventsAStart() {
        assertThat(ConfigCheck.essentialProblem(Map.of("upstream.type", "synthetic")))
                .hasValueSatisfying(problem -> assertThat(problem).contains("upstream.synthetic.topic"));
    }

    @Test
    void takesAnEmptyListForAMissingOne() {
        Map<String, String> http = Map.of("name", "ingest", "upstream.type", "http", "upstream.http.topics", "");
        assertThat(problems(http)).containsKey("upstream.http.topics");
    }
}
