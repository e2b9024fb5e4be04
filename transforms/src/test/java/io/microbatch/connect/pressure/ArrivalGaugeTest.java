package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalGaugeTest {

    private static final long MS = 1_000_000;
    private static final long SEC = 1_000 * MS;

    /** A monotonic clock may start at any time, also close to its overflow. */
    private static final long START = Long.MAX_VALUE - 3 * SEC;

    private final ArrivalGauge gauge = new ArrivalGauge(500, START, 1_000);

    @Test
    void startsAtZeroForAnyTotal() {
        assertThat(gauge.perSec()).isZero();
        assertThat(gauge.update(START + SEC, 1_000)).isZero();
    }

    @Test
    void showsSixtyThreePercentOfAStepAfterItsTimeConstant() {
        assertThat(gauge.update(START + 500 * MS, 1_000 + 5_000)).isCloseTo(10_000 * (1 - Math.exp(-1)), within(1e-6));
    }

    @Test
    void showsAStepAfterFiveTimeConstantsInBothDirections() {
        gauge.update(START + 2_500 * MS, 1_000 + 25_000);
        assertThat(gauge.perSec()).isBetween(9_900.0, 10_000.0);

        gauge.update(START + 5_000 * MS, 1_000 + 25_000);
        assertThat(gauge.perSec()).isBetween(0.0, 100.0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 50, 125, 250, 1_000})
    void isIndependentOfTheSpacingOfUpdates(long spacingMs) {
        long total = 1_000;
        for (long atMs = spacingMs; atMs <= 1_750; atMs += spacingMs) {
            total = 1_000 + 4 * atMs;
            gauge.update(START + atMs * MS, total);
        }
        long lastMs = 1_750 / spacingMs * spacingMs;
        assertThat(gauge.perSec()).isCloseTo(4_000 * -Math.expm1(-lastMs / 500.0), within(1e-6));
    }

    @Test
    void isIndependentOfRandomSpacingToo() {
        Random random = new Random(42);
        long nowNanos = 0;
        while (nowNanos < 2 * SEC) {
            nowNanos = Math.min(2 * SEC, nowNanos + 1_000 * (1 + random.nextInt(200_000)));
            gauge.update(START + nowNanos, 1_000 + nowNanos / 1_000);
        }
        assertThat(gauge.perSec()).isCloseTo(1_000_000 * -Math.expm1(-4), within(500.0));
    }

    @Test
    void countsArrivalsOfAStoppedClockInTheNextInterval() {
        assertThat(gauge.update(START, 1_600)).isZero();
        assertThat(gauge.update(START, 2_000)).isZero();

        assertThat(gauge.update(START + 500 * MS, 6_000)).isCloseTo(10_000 * (1 - Math.exp(-1)), within(1e-6));
    }

    @Test
    void changesNothingWhenTheClockRunsBackwards() {
        double before = gauge.update(START + 500 * MS, 6_000);

        assertThat(gauge.update(START + 100 * MS, 7_000)).isEqualTo(before);
        assertThat(gauge.perSec()).isEqualTo(before);
        // The interval still starts at the latest time, and includes the 1,000 arrivals of the earlier update.
        double expected = before + (1 - Math.exp(-1)) * (10_000 - before);
        assertThat(gauge.update(START + 1_000 * MS, 11_000)).isCloseTo(expected, within(1e-6));
    }

    @Test
    void expectsNothingToFollowAnEventAfterASilence() {
        gauge.update(START + 60 * SEC - MS, 1_000);
        gauge.update(START + 60 * SEC, 1_001);
        assertThat(gauge.perSec()).as("1 / tau").isBetween(1.99, 2.0);
        assertThat(gauge.followingPerSec(125 * MS)).isEqualTo(gauge.perSec());
        assertThat(gauge.followingPerSec(126 * MS)).isCloseTo(0, within(1e-9));
        gauge.update(START + 60 * SEC + 100 * MS, 1_001);
        assertThat(gauge.followingPerSec(10 * SEC)).isCloseTo(0, within(1e-9));
    }

    @Test
    void expectsAnEventWhereTheLastOnesFollowedEachOther() {
        for (int i = 1; i <= 20; i++) {
            gauge.update(START + i * 250 * MS - MS, 999 + i);
            gauge.update(START + i * 250 * MS, 1_000 + i);
        }
        double beforePerSec = 2 / Math.expm1(0.5);
        assertThat(gauge.followingPerSec(SEC)).isCloseTo(beforePerSec, within(0.01));
        gauge.update(START + 5_200 * MS, 1_020);
        assertThat(gauge.followingPerSec(SEC)).as("until another one arrives").isCloseTo(beforePerSec, within(0.01));
        gauge.update(START + 7_000 * MS, 1_020);
        assertThat(gauge.followingPerSec(SEC)).as("no longer than the average").isEqualTo(gauge.perSec());
    }

    @Test
    void takesOneOfSeveralArrivalsForTheLatest() {
        gauge.update(START + 60 * SEC - MS, 1_000);
        gauge.update(START + 60 * SEC, 1_010);
        assertThat(gauge.followingPerSec(SEC)).isCloseTo(0.9 * gauge.perSec(), within(1e-6));
    }

    @Test
    void rejectsATimeConstantThatIsNotPositive() {
        assertThatThrownBy(() -> new ArrivalGauge(0, START, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("smoothingMs");
    }
}
