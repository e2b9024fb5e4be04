package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CdcContenderTest {

    private static final Path WORK = Path.of("work");
    private static final ConnectorConfig EXAMPLE = new ConnectorConfig(
            "example",
            Map.of(
                    "connector.class", "ours",
                    "latency.target.ms", "100",
                    "upstream.connector.class", "theirs",
                    "upstream.connector.topic.prefix", "shop",
                    "upstream.connector.slot.name", "microbatch",
                    "upstream.connector.database.password", "secret",
                    "value.converter", "json"));

    private static Map<String, String> config(CdcContender contender) {
        return contender.config(EXAMPLE, 1, WORK).config();
    }

    @ParameterizedTest
    @EnumSource(CdcContender.class)
    void allConvertAlikeAndPromiseTheSame(CdcContender contender) {
        ConnectorConfig config = contender.config(EXAMPLE, 1, WORK);
        assertThat(config.config()).containsEntry("value.converter", "json");
        assertThat(config.config().get("exactly.once.support"))
                .as("an engine has no transactions")
                .isEqualTo(contender.isEngine() ? null : "required");
        assertThat(config.isForEngine()).isEqualTo(contender.isEngine());
        assertThat(config.topic()).isEqualTo(contender.name().toLowerCase(Locale.ROOT) + "_1.public.events");
        assertThat(config.name()).isEqualTo(contender.text());
    }

    @ParameterizedTest
    @EnumSource(CdcContender.class)
    void aSlotHasOnlyCharactersThatPostgresAllows(CdcContender contender) {
        String slot = config(contender).get((contender.isStock() ? "" : ConnectorConfig.UPSTREAM) + "slot.name");
        assertThat(slot).matches("[a-z0-9_]+");
    }

    @ParameterizedTest
    @EnumSource(CdcContender.class)
    void aResultShowsWhatWasSetAndNeitherSecretsNorPaths(CdcContender contender) {
        Map<String, String> shown = contender.settings(EXAMPLE);
        assertThat(shown).containsEntry("value.converter", "json").doesNotContainValue("secret");
        assertThat(shown.keySet()).noneMatch(key -> key.endsWith("slot.name") || key.equals("calibration.directory"));
        if (contender.isStock()) {
            assertThat(config(contender)).containsAllEntriesOf(shown);
        }
    }

    @Test
    void theRivalsAreDebeziumItself() {
        Map<String, String> plain = config(CdcContender.PLAIN);
        assertThat(plain)
                .containsEntry("connector.class", "theirs")
                .containsEntry("slot.name", "plain_1")
                .doesNotContainKeys(
                        "poll.interval.ms", "latency.target.ms", "calibration.directory", "transaction.boundary");
        assertThat(plain.keySet()).noneMatch(key -> key.startsWith(ConnectorConfig.UPSTREAM));
        assertThat(config(CdcContender.TUNED)).containsEntry("poll.interval.ms", "5");
    }

    @Test
    void anEngineGetsTheConnectorWithoutTheWorkersSettings() {
        ConnectorConfig config = CdcContender.ENGINE_2.config(EXAMPLE, 1, WORK);
        assertThat(EngineServer.settings(config, WORK.resolve("offsets")))
                .containsEntry("connector.class", "theirs")
                .containsEntry("record.processing.threads", "2")
                .containsEntry(
                        "offset.storage.file.filename", WORK.resolve("offsets").toString())
                .containsEntry("slot.name", "engine_2_1")
                .doesNotContainKey("value.converter");
        assertThat(CdcContender.ENGINE_1.isStock()).isTrue();
        assertThat(CdcContender.QUICK).noneMatch(CdcContender::isEngine);
    }

    @Test
    void shortQueuesCommitWithEveryPollOrByTheClock() {
        assertThat(config(CdcContender.SMALL))
                .containsEntry("max.queue.size", "512")
                .containsEntry("max.batch.size", "256")
                .containsEntry("poll.interval.ms", "10")
                .doesNotContainKey("transaction.boundary");
        assertThat(config(CdcContender.SMALL_I20))
                .containsEntry("max.queue.size", "512")
                .containsEntry("poll.interval.ms", "5")
                .containsEntry("transaction.boundary", "interval")
                .containsEntry("transaction.boundary.interval.ms", "20");
        assertThat(config(CdcContender.TUNED_I20))
                .containsEntry("max.queue.size", "65536")
                .containsEntry("transaction.boundary.interval.ms", "20");
        assertThat(config(CdcContender.TUNED_I50_L50))
                .containsEntry("max.queue.size", "65536")
                .containsEntry("transaction.boundary.interval.ms", "50")
                .containsEntry("producer.override.linger.ms", "50");
        assertThat(config(CdcContender.MID_I50))
                .containsEntry("max.queue.size", "2048")
                .containsEntry("max.batch.size", "1024")
                .containsEntry("poll.interval.ms", "10")
                .containsEntry("transaction.boundary.interval.ms", "50");
    }

    @ParameterizedTest
    @CsvSource({"SMALL_I50, SMALL_I50_L50", "MID_I20, MID_I20_L20", "MID_I50, MID_I50_L50"})
    void aLingerIsAsLongAsTheIntervalAndTheOnlyDifference(CdcContender without, CdcContender with) {
        Map<String, String> expected = new HashMap<>(without.settings(EXAMPLE));
        expected.put("producer.override.linger.ms", expected.get("transaction.boundary.interval.ms"));
        assertThat(with.settings(EXAMPLE)).isEqualTo(expected);
        assertThat(with.isStock()).isTrue();
        assertThat(with.text()).startsWith(without.text() + "-l");
    }

    @ParameterizedTest
    @CsvSource({"MID_I30_L30, 30", "MID_I40_L40, 40", "MID_I80_L80, 80"})
    void otherIntervalsDifferInNothingElse(CdcContender contender, String ms) {
        Map<String, String> expected = new HashMap<>(CdcContender.MID_I50_L50.settings(EXAMPLE));
        expected.put("transaction.boundary.interval.ms", ms);
        expected.put("producer.override.linger.ms", ms);
        assertThat(contender.settings(EXAMPLE)).isEqualTo(expected);
    }

    @Test
    void theQuickFormHasTheStrongestStockSettingsForBothTargets() {
        assertThat(CdcContender.QUICK)
                .contains(
                        CdcContender.TUNED_I20,
                        CdcContender.TUNED_I50_L50,
                        CdcContender.MID_I20_L20,
                        CdcContender.MID_I50,
                        CdcContender.MID_I50_L50,
                        CdcContender.MID_I30_L30,
                        CdcContender.MID_I40_L40,
                        CdcContender.MID_I80_L80);
    }

    @Test
    void theHostedOnesDifferInNothingButTheObjective() {
        Map<String, String> adaptive = config(CdcContender.ADAPTIVE);
        Map<String, String> efficiency = config(CdcContender.EFFICIENCY);
        assertThat(adaptive).containsEntry("upstream.connector.slot.name", "adaptive_1");
        assertThat(adaptive.get("batch.objective")).isEqualTo("latency");
        assertThat(efficiency.get("batch.objective")).isEqualTo("efficiency");
        assertThat(adaptive).containsEntry("latency.target.ms", "100");
        assertThat(adaptive.keySet()).isEqualTo(efficiency.keySet());
        assertThat(adaptive.entrySet().stream()
                        .filter(entry -> !entry.getValue().equals(efficiency.get(entry.getKey())))
                        .map(Map.Entry::getKey))
                .allMatch(key -> key.equals("batch.objective")
                        || (key.startsWith(ConnectorConfig.UPSTREAM) && isNameOfARun(key)));
    }

    private static boolean isNameOfARun(String key) {
        return key.endsWith("slot.name") || key.endsWith("publication.name") || key.endsWith("topic.prefix");
    }

    @Test
    void aLowTargetHasTheDefaultObjective() {
        assertThat(CdcContender.HOSTED_30.text()).isEqualTo("hosted-30");
        assertThat(CdcContender.QUICK).contains(CdcContender.HOSTED_30);
        assertThat(config(CdcContender.HOSTED_30))
                .containsEntry("connector.class", "ours")
                .containsEntry("latency.target.ms", "30")
                .doesNotContainKey("batch.objective");
    }

    @Test
    void theDefaultIsHostedWithoutAWordOnLatency() {
        assertThat(config(CdcContender.DEFAULT))
                .containsEntry("connector.class", "ours")
                .doesNotContainKeys("latency.target.ms", "batch.objective");
    }

    @ParameterizedTest
    @EnumSource(CdcContender.class)
    void everyHostedOneLearnsInWindowsThatFitItsTurns(CdcContender contender) {
        String expected = contender.isStock() ? null : "2000";
        assertThat(config(contender).get("pressure.window.ms")).isEqualTo(expected);
        assertThat(contender.settings(EXAMPLE).get("pressure.window.ms")).isEqualTo(expected);
    }

    @Test
    void isCalledInResultsAsOnTheCommandLine() {
        assertThat(CdcContender.SMALL_I20.text()).isEqualTo("small-i20");
    }
}
