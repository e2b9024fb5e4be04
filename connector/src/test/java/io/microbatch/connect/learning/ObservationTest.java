package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservationTest {
    private static final PressureLevel LEVEL = PressureLevel.L4_MODERATE;

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1, 1e300})
    void refusesAnInvalidRate(double bad) {
        assertThatThrownBy(() -> measured(1, 1, bad, 1, 1)).hasMessageContaining("serviceRatePerSec");
        assertThatThrownBy(() -> best(1, bad, 1, 1)).hasMessageContaining("scorePerSec");
        assertThatThrownBy(() -> best(1, 1, bad, 1)).hasMessageContaining("expectedPerSec");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void refusesADurationOutOfRange(long bad) {
        assertThatThrownBy(() -> measured(bad, 1, 1, 1, 1)).hasMessageContaining("lingerNanos");
        assertThatThrownBy(() -> measured(1, bad, 1, 1, 1)).hasMessageContaining("busyNanos");
        assertThatThrownBy(() -> measured(1, 1, 1, bad, 1)).hasMessageContaining("ackP50Nanos");
        assertThatThrownBy(() -> measured(1, 1, 1, 1, bad)).hasMessageContaining("ackP99Nanos");
    }

    @Test
    void refusesCountsAndTimesOutOfRange() {
        assertThatThrownBy(() -> counted(0, 1, 1, 1, 1)).hasMessageContaining("windowEndEpochMs");
        assertThatThrownBy(() -> counted(1, 0, 1, 1, 1)).hasMessageContaining("windowMs");
        assertThatThrownBy(() -> counted(1, 1, 0, 1, 1)).hasMessageContaining("maxEvents");
        assertThatThrownBy(() -> counted(1, 1, 1, -1, 1)).hasMessageContaining("events");
        assertThatThrownBy(() -> counted(1, 1, 1, 1, -1)).hasMessageContaining("batches");
    }

    @Test
    void refusesAMedianAboveThePercentile() {
        assertThatThrownBy(() -> measured(1, 1, 1, 10, 9)).hasMessageContaining("ackP50Nanos");
        assertThat(measured(1, 1, 1, 9, 9).ackP50Nanos()).isEqualTo(9);
    }

    @Test
    void acceptsALargeSetting() {
        PressureLevel max = PressureLevel.L10_MAX;
        BatchSetting large = new BatchSetting(max.budgetMs() * 1_000, max.budgetMs() * 500_000L);
        assertThat(new LevelBest(max, large, 5e6, 5e6, 1e6, 30_000_000_000L, 1, 1, 0).setting())
                .isEqualTo(large);
    }

    @Test
    void refusesABestOutOfRange() {
        assertThatThrownBy(() -> best(0, 1, 1, 1)).hasMessageContaining("maxEvents");
        assertThatThrownBy(() -> best(1, 1, 1, -1)).hasMessageContaining("regressions");
    }

    private static LevelBest best(int maxEvents, double score, double expected, long regressions) {
        return new LevelBest(LEVEL, new BatchSetting(maxEvents, 1), score, expected, 1, 1, 1, 1, regressions);
    }

    private static Observation measured(long linger, long busy, double serviceRate, long p50, long p99) {
        return new Observation(
                1, 1, LEVEL, new BatchSetting(1, linger), 1, 1, 1, busy, serviceRate, p50, p99, true, false);
    }

    private static Observation counted(long end, long window, int maxEvents, long events, long batches) {
        return new Observation(
                end, window, LEVEL, new BatchSetting(maxEvents, 1), events, batches, batches, 1, 1, 1, 1, true, false);
    }
}
