package io.microbatch.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FleetContenderTest {

    @Test
    void givesTheHostedConnectorTheSettingsOfThePlainOne() {
        Map<String, String> plain = FleetContender.PLAIN_ALL.config("t", 7, 70, 1_000, "dir");
        Map<String, String> hosted = FleetContender.HOSTED.config("t", 7, 70, 1_000, "dir");
        assertThat(hosted).containsEntry("upstream.connector.class", plain.get("connector.class"));
        plain.forEach((key, value) -> {
            if (key.startsWith("baseline.") || key.startsWith("upstream.synthetic.")) {
                assertThat(hosted)
                        .containsEntry("upstream.connector." + key, value)
                        .doesNotContainKey(key);
            }
        });
        assertThat(hosted).doesNotContainKey("transaction.boundary").containsEntry("latency.target.ms", "100");
        assertThat(plain)
                .containsEntry("transaction.boundary", "interval")
                .containsEntry("upstream.synthetic.rate", "7")
                .containsEntry("upstream.synthetic.events.per.partition", "70")
                .containsEntry("upstream.synthetic.start.epoch.ms", "1000")
                .doesNotContainKey("calibration.directory");
    }

    @ParameterizedTest
    @CsvSource({"PLAIN_ONE, PLAIN_ONE_LINGER", "PLAIN_ALL, PLAIN_ALL_LINGER"})
    void givesAPlainOneALingerAsLongAsItsInterval(FleetContender without, FleetContender with) {
        Map<String, String> expected = new HashMap<>(without.config("t", 7, 70, 1_000, "dir"));
        expected.put("producer.override.linger.ms", "100");
        assertThat(with.config("t", 7, 70, 1_000, "dir"))
                .isEqualTo(expected)
                .containsEntry("transaction.boundary.interval.ms", "100");
        assertThat(with.isPlain()).isTrue();
    }

    @Test
    void leavesTheDefaultsToTheThird() {
        assertThat(FleetContender.HOSTED_DEFAULT.config("t", 7, 70, 1_000, "dir"))
                .doesNotContainKeys("latency.target.ms", "batch.objective", "batch.mode");
    }

    @ParameterizedTest
    @EnumSource(FleetContender.class)
    void letsAnIdleConnectorWaitForADay(FleetContender contender) {
        Map<String, String> config = contender.config("t", 0, 0, 1_000, "dir");
        assertThat(config.entrySet().stream()
                        .filter(entry -> entry.getKey().endsWith("start.epoch.ms"))
                        .map(Map.Entry::getValue))
                .containsExactly("86401000");
    }
}
