package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.NOW_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservationTest {
    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1, 1e300})
    void refusesAnyMeasureThatIsNoSaneNumber(double bad) {
        assertThatThrownBy(() -> measured(bad, 1, 1, 1, 1)).hasMessageContaining("lingerMs");
        assertThatThrownBy(() -> measured(1, bad, 1, 1, 1)).hasMessageContaining("busyMs");
        assertThatThrownBy(() -> measured(1, 1, bad, 1, 1)).hasMessageContaining("capacityPerSec");
        assertThatThrownBy(() -> measured(1, 1, 1, bad, 1)).hasMessageContaining("ackP50Ms");
        assertThatThrownBy(() -> measured(1, 1, 1, 1, bad)).hasMessageContaining("ackP99Ms");
    }

    @Test
    void refusesCountsAndTimesOutOfRange() {
        assertThatThrownBy(() -> counted(0, 1, 1, 1, 1, 1)).hasMessageContaining("windowEndEpochMs");
        assertThatThrownBy(() -> counted(NOW_MS, 0, 1, 1, 1, 1)).hasMessageContaining("windowMs");
        assertThatThrownBy(() -> counted(NOW_MS, 1, 0, 1, 1, 1)).hasMessageContaining("batchTargetEvents");
        assertThatThrownBy(() -> counted(NOW_MS, 1, 1, -1, 1, 1)).hasMessageContaining("events");
        assertThatThrownBy(() -> counted(NOW_MS, 1, 1, 1, -1, 1)).hasMessageContaining("polls");
        assertThatThrownBy(() -> counted(NOW_MS, 1, 1, 1, 1, -1)).hasMessageContaining("batches");
    }

    @Test
    void refusesAMedianAboveThePercentile() {
        assertThatThrownBy(() -> measured(1, 1, 1, 10, 9)).hasMessageContaining("ackP50Ms");
        assertThat(measured(1, 1, 1, 9, 9).ackP50Ms()).isEqualTo(9);
    }

    @Test
    void acceptsTheLargestBootstrapSetting() {
        PressureLevel max = PressureLevel.L10_MAX;
        LevelBest best =
                new LevelBest(max, max.budgetMs() * 1000, max.budgetMs() / 2.0, 5e6, 5e6, 1e6, 30_000, 1, 1, 0);
        assertThat(best.batchTargetEvents()).isEqualTo(30_000_000);
    }

    @Test
    void refusesABestOutOfRange() {
        assertThatThrownBy(() -> best(0, 1, 1, 1)).hasMessageContaining("batchTargetEvents");
        assertThatThrownBy(() -> best(1, Double.NaN, 1, 1)).hasMessageContaining("scorePerSec");
        assertThatThrownBy(() -> best(1, 1, -1, 1)).hasMessageContaining("expectedThroughputPerSec");
        assertThatThrownBy(() -> best(1, 1, 1, -1)).hasMessageContaining("regressions");
    }

    private static LevelBest best(int target, double score, double expected, long regressions) {
        return new LevelBest(PressureLevel.L4_MODERATE, target, 1, score, expected, 1, 1, 1, NOW_MS, regressions);
    }

    private static Observation measured(double linger, double busy, double capacity, double p50, double p99) {
        return new Observation(
                NOW_MS, 1, PressureLevel.L4_MODERATE, 1, linger, 1, 1, 1, busy, capacity, p50, p99, true, false);
    }

    private static Observation counted(long end, long window, int target, long events, long polls, long batches) {
        return new Observation(
                end, window, PressureLevel.L4_MODERATE, target, 1, events, polls, batches, 1, 1, 1, 1, true, false);
    }
}
