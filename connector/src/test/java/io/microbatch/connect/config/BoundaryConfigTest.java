package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.BoundaryConfig.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoundaryConfigTest {

    private static Map<String, String> interval(String... more) {
        Map<String, String> properties = new HashMap<>(Map.of("transaction.boundary", "interval"));
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return properties;
    }

    @ParameterizedTest
    @CsvSource({
        "poll, POLL",
        "interval, INTERVAL",
        "' Interval ', INTERVAL",
        "CONNECTOR, CONNECTOR",
        "sometimes, POLL",
        "'', POLL"
    })
    void readsTheWordAsConnectDoes(String word, Kind kind) {
        assertThat(BoundaryConfig.from(Map.of("transaction.boundary", word)).kind())
                .isEqualTo(kind);
    }

    @Test
    void hasAnIntervalOnlyWhereConnectUsesIt() {
        String key = "transaction.boundary.interval.ms";
        assertThat(BoundaryConfig.from(interval(key, "250")).intervalMs()).hasValue(250);
        assertThat(BoundaryConfig.from(interval()).intervalMs()).isEmpty();
        assertThat(BoundaryConfig.from(interval(key, "soon")).intervalMs()).isEmpty();
        assertThat(BoundaryConfig.from(Map.of(key, "250"))).isEqualTo(BoundaryConfig.DEFAULT);
    }

    @Test
    void warnsThatAnIntervalOverridesTheTarget() {
        assertThat(BoundaryConfig.warnings(
                        interval("transaction.boundary.interval.ms", "1000", "latency.target.ms", "30")))
                .singleElement()
                .asString()
                .startsWith("transaction.boundary=interval overrides latency.target.ms=30")
                .contains("every 1000 ms (transaction.boundary.interval.ms)", "remove transaction.boundary");
    }

    @Test
    void namesTheSettingOfTheWorkerWhereThereIsNoInterval() {
        List<String> warnings = BoundaryConfig.warnings(interval());
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0))
                .contains("the latency budgets", "offset.flush.interval.ms", "60000 ms", "interval.ms is not set");
        assertThat(warnings.get(1)).contains("60000 ms", "transaction.timeout.ms", "at most half");
    }

    @ParameterizedTest
    @CsvSource({"30000, 60000, 1", "30001, 60000, 2", "1000, 15000, 1", "8000, 15000, 2"})
    void warnsOfATransactionThatMayBeAborted(String intervalMs, String timeoutMs, int warnings) {
        assertThat(BoundaryConfig.warnings(interval(
                        "transaction.boundary.interval.ms",
                        intervalMs,
                        "producer.override.transaction.timeout.ms",
                        timeoutMs)))
                .hasSize(warnings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"poll", "connector"})
    void doesNotWarnOfOtherBoundaries(String word) {
        assertThat(BoundaryConfig.warnings(
                        Map.of("transaction.boundary", word, "transaction.boundary.interval.ms", "1000")))
                .isEmpty();
    }

    @Test
    void keepsWhatIsLearnedApartByWhoEndsTransactions() {
        assertThat(BoundaryConfig.DEFAULT.learnedUnder()).isEmpty();
        assertThat(BoundaryConfig.from(Map.of("transaction.boundary", "connector"))
                        .learnedUnder())
                .isEqualTo(" by connector");
        assertThat(BoundaryConfig.from(interval()).learnedUnder()).isEqualTo(" by interval");
        assertThat(BoundaryConfig.from(interval("transaction.boundary.interval.ms", "250"))
                        .learnedUnder())
                .isEqualTo(" by interval of 250 ms");
    }
}
