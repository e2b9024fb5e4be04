package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void theStockRivalsCommitByTheClock() {
        assertThat(Settings.intervals())
                .containsOnlyKeys("interval_20", "interval_50", "unbuffered_interval_20", "unbuffered_interval_50")
                .allSatisfy((name, settings) -> {
                    assertThat(settings)
                            .containsEntry("connector.class", "io.microbatch.bench.baseline.BaselineConnector")
                            .containsEntry("transaction.boundary", "interval")
                            .containsEntry(
                                    "transaction.boundary.interval.ms", name.substring(name.lastIndexOf('_') + 1));
                    assertThat(Settings.isByTheClock(settings)).isTrue();
                    assertThat(Settings.isOneEventAPoll(settings)).isEqualTo(!name.startsWith("unbuffered"));
                });
        assertThat(Settings.isByTheClock(Settings.baseline(1))).isFalse();
        assertThat(Settings.isOneEventAPoll(Settings.baseline(1))).isTrue();
    }

    @Test
    void aLingerChangesNothingElse() {
        Map<String, String> interval = Settings.interval(1, 50);
        Map<String, String> both = Settings.withLinger(interval, 50);
        assertThat(both)
                .containsAllEntriesOf(interval)
                .hasSize(interval.size() + 1)
                .containsEntry("producer.override.linger.ms", "50");
        assertThat(interval).doesNotContainKey("producer.override.linger.ms");
    }

    @Test
    void everyFixedSettingHasOneN() {
        assertThat(Settings.fixed(5))
                .containsEntry("batch.mode", "fixed")
                .containsEntry("batch.linger.ms", "5")
                .containsEntry("batch.max.records", "20000");
    }
}
