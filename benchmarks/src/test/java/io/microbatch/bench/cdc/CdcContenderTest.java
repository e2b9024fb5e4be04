package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
                    "value.converter", "json"));

    @ParameterizedTest
    @EnumSource(CdcContender.class)
    void allConvertAlikeAndPromiseTheSame(CdcContender contender) {
        ConnectorConfig config = contender.config(EXAMPLE, "run_1", WORK);
        assertThat(config.config())
                .containsEntry("value.converter", "json")
                .containsEntry("exactly.once.support", "required");
        assertThat(config.topic()).isEqualTo("run_1.public.events");
        assertThat(config.name()).isEqualTo(contender.text());
    }

    @Test
    void theRivalsAreDebeziumItself() {
        Map<String, String> plain =
                CdcContender.PLAIN.config(EXAMPLE, "run_1", WORK).config();
        assertThat(plain)
                .containsEntry("connector.class", "theirs")
                .containsEntry("slot.name", "run_1")
                .doesNotContainKeys("poll.interval.ms", "latency.target.ms", "calibration.directory");
        assertThat(plain.keySet()).noneMatch(key -> key.startsWith(ConnectorConfig.UPSTREAM));
        assertThat(CdcContender.TUNED.config(EXAMPLE, "run_1", WORK).config()).containsEntry("poll.interval.ms", "5");
    }

    @Test
    void theHostedOnesDifferInNothingButTheObjective() {
        Map<String, String> adaptive =
                CdcContender.ADAPTIVE.config(EXAMPLE, "run_1", WORK).config();
        Map<String, String> efficiency =
                CdcContender.EFFICIENCY.config(EXAMPLE, "run_1", WORK).config();
        assertThat(adaptive).containsEntry("upstream.connector.slot.name", "run_1");
        assertThat(adaptive.get("batch.objective")).isEqualTo("latency");
        assertThat(efficiency.get("batch.objective")).isEqualTo("efficiency");
        assertThat(adaptive.keySet()).isEqualTo(efficiency.keySet());
        assertThat(adaptive.entrySet().stream()
                        .filter(entry -> !entry.getValue().equals(efficiency.get(entry.getKey())))
                        .map(Map.Entry::getKey))
                .containsExactly("batch.objective");
    }
}
