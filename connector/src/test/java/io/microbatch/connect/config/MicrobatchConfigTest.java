package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicrobatchConfigTest {

    @Test
    void hasADefaultForEverything() {
        MicrobatchConfig config = new MicrobatchConfig(Map.of());
        assertThat(config.upstream()).isEqualTo(new UpstreamConfig(UpstreamConfig.Kind.CONNECTOR));
        assertThat(config.batch())
                .isEqualTo(new BatchConfig(
                        BatchConfig.Mode.ADAPTIVE,
                        Objective.EFFICIENCY,
                        50_000,
                        16L * 1024 * 1024,
                        5,
                        OptionalInt.empty(),
                        256L * 1024 * 1024,
                        BatchConfig.LEARNED));
        assertThat(config.deadLetter()).isEmpty();
        assertThat(config.pressure()).isEqualTo(new PressureConfig(500, 10_000, Margin.DEFAULT));
        assertThat(config.stripe()).isEqualTo(new StripeConfig(2, 32_768, 64L * 1024 * 1024));
        assertThat(config.calibration().enabled()).isTrue();
        assertThat(config.calibration().directory()).isAbsolute();
    }

    /** Tools that edit a configuration write the defaults of all keys into it. */
    @Test
    void meansTheSameWithItsDefaultsWrittenOut() {
        Map<String, String> written = new HashMap<>();
        MicrobatchConfig.definition().configKeys().forEach((name, key) -> {
            if (key.hasDefault() && key.defaultValue != null) {
                written.put(name, ConfigDef.convertToString(key.defaultValue, key.type));
            }
        });
        MicrobatchConfig config = new MicrobatchConfig(written);
        MicrobatchConfig empty = new MicrobatchConfig(Map.of());
        assertThat(config.upstream()).isEqualTo(empty.upstream());
        assertThat(config.batch()).isEqualTo(empty.batch());
        assertThat(config.pressure()).isEqualTo(empty.pressure());
        assertThat(config.stripe()).isEqualTo(empty.stripe());
        assertThat(config.deadLetter()).isEqualTo(empty.deadLetter());
        assertThat(config.bulk()).isEqualTo(empty.bulk());
    }

    @Test
    void separatesCalibrationsOfDifferentBudgetsAndObjectives() {
        assertThat(new MicrobatchConfig(Map.of()).batch().learnedUnder()).isEqualTo(" within 30 to 75 ms");
        assertThat(new MicrobatchConfig(Map.of("latency.target.ms", "10", "batch.objective", "latency"))
                        .batch()
                        .learnedUnder())
                .isEqualTo(" within 10 to 10 ms for latency");
    }

    @Test
    void readsTheBudgetsOfACalibrationFromItsKey() {
        for (Map<String, String> settings : List.of(
                Map.<String, String>of(),
                Map.of("batch.objective", "latency"),
                Map.of("latency.target.ms", "250"),
                Map.of("latency.target.ms", "10", "batch.objective", "latency"))) {
            BatchConfig batch = new MicrobatchConfig(settings).batch();
            assertThat(BatchConfig.budgetsLearnedUnder("exactly-once" + batch.learnedUnder() + " packed"))
                    .as(settings.toString())
                    .isEqualTo(LatencyBudgets.of(batch.latencyTargetMs(), batch.objective()));
        }
    }

    @Test
    void readsEveryKeyIntoItsRecord() {
        Path directory = Path.of("kept").toAbsolutePath();
        MicrobatchConfig config = new MicrobatchConfig(Map.ofEntries(
                Map.entry("upstream.type", "Synthetic"),
                Map.entry("latency.target.ms", "40"),
                Map.entry("batch.mode", "FIXED"),
                Map.entry("batch.objective", "Latency"),
                Map.entry("batch.max.records", "7"),
                Map.entry("batch.max.bytes", "2048"),
                Map.entry("batch.linger.ms", "0"),
                Map.entry("batch.max.filtered.bytes", "70000"),
                Map.entry("batch.offset.delay.ms", "9"),
                Map.entry("pressure.smoothing.ms", "100"),
                Map.entry("pressure.window.ms", "2000"),
                Map.entry("pressure.margin.ratio", "0.5"),
                Map.entry("stripe.count", "3"),
                Map.entry("stripe.max.events", "16"),
                Map.entry("stripe.max.bytes", "70000"),
                Map.entry("calibration.enabled", "false"),
                Map.entry("calibration.directory", directory + "/x/../y")));
        assertThat(config.upstream().kind()).isEqualTo(UpstreamConfig.Kind.SYNTHETIC);
        assertThat(config.batch())
                .isEqualTo(new BatchConfig(
                        BatchConfig.Mode.FIXED, Objective.LATENCY, 7, 2_048, 0, OptionalInt.of(40), 70_000, 9));
        assertThat(config.pressure()).isEqualTo(new PressureConfig(100, 2_000, Margin.ofRatio(0.5)));
        assertThat(config.stripe()).isEqualTo(new StripeConfig(3, 16, 70_000));
        assertThat(config.calibration()).isEqualTo(new CalibrationConfig(false, directory.resolve("y")));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    {},                                                   10000
                    latency.target.ms=100,                                10000
                    latency.target.ms=30000,                              90000
                    latency.target.ms=30000 pressure.window.ms=20000,     20000
                    """)
    void windowHoldsThreeBatchesOfTheLongestLinger(String settings, long expectedMs) {
        Map<String, String> keys = new HashMap<>();
        Matcher matcher = Pattern.compile("(\\S+)=(\\S+)").matcher(settings);
        while (matcher.find()) {
            keys.put(matcher.group(1), matcher.group(2));
        }
        assertThat(new MicrobatchConfig(keys).pressure().windowMs()).isEqualTo(expectedMs);
    }

    @Test
    void readsTheSettingsOfTheGenerator() {
        SyntheticConfig config = new MicrobatchConfig(Map.of(
                        "upstream.synthetic.topic", "events",
                        "upstream.synthetic.topics", "4",
                        "upstream.synthetic.start.epoch.ms", "77",
                        "upstream.synthetic.partitions", "9",
                        "upstream.synthetic.rate", "10@5s,1000@250ms,50",
                        "upstream.synthetic.events.per.partition", "12",
                        "upstream.synthetic.size.bytes", " 64 - 1024 ",
                        "upstream.synthetic.payload", "Compressible",
                        "upstream.synthetic.seed", "-3"))
                .synthetic();
        assertThat(config.rateCurve().steps())
                .isEqualTo(List.of(
                        new RateCurve.Step(10, 5_000_000_000L),
                        new RateCurve.Step(1_000, 250_000_000L),
                        new RateCurve.Step(50, Long.MAX_VALUE)));
        assertThat(config)
                .isEqualTo(new SyntheticConfig("events", 4, 9, config.rateCurve(), 77, 12, 64, 1_024, true, -3));
    }

    @Test
    void namesTheKeyOfAValueOutOfRange() {
        assertThatThrownBy(() -> new MicrobatchConfig(Map.of("batch.max.records", "0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("batch.max.records");
    }

    @Test
    void returnsANewDefinitionToEachCaller() {
        ConfigDef first = MicrobatchConfig.definition();
        first.define("more", ConfigDef.Type.STRING, ConfigDef.Importance.LOW, "more");
        assertThat(MicrobatchConfig.definition().names()).doesNotContain("more");
    }

    @Test
    void documentsEveryKeyWithItsGroupAndAName() {
        assertThat(MicrobatchConfig.definition().configKeys().values()).allSatisfy(key -> {
            assertThat(key.documentation).isNotBlank();
            assertThat(key.group).isNotBlank();
            assertThat(key.displayName).isNotBlank();
        });
    }
}
