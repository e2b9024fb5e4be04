package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PressureLevelTest {

    @ParameterizedTest
    @CsvSource({
        "L1_REALTIME, 1, 1, 0, 10",
        "L2_FAST, 2, 5, 10, 100",
        "L3_LOW, 3, 10, 100, 500",
        "L4_MODERATE, 4, 50, 500, 2000",
        "L5_BALANCED, 5, 100, 2000, 10000",
        "L6_THROUGHPUT, 6, 500, 10000, 50000",
        "L7_HIGH, 7, 1000, 50000, 200000",
        "L8_AGGRESSIVE, 8, 5000, 200000, 1000000",
        "L9_EXTREME, 9, 15000, 1000000, 5000000",
        "L10_MAX, 10, 30000, 5000000, Infinity",
    })
    void hasTheBandAndTheBudgetOfTheTable(
            PressureLevel level, int number, int budgetMs, double lowerPerSec, double upperPerSec) {
        assertThat(level.number()).isEqualTo(number);
        assertThat(PressureLevel.ofNumber(number)).isEqualTo(level);
        assertThat(level.budgetMs()).isEqualTo(budgetMs);
        assertThat(level.lowerBoundPerSec()).isEqualTo(lowerPerSec);
        assertThat(level.upperBoundPerSec()).isEqualTo(upperPerSec);
    }

    @ParameterizedTest
    @EnumSource
    void includesItsLowerBoundAndExcludesItsUpperOne(PressureLevel level) {
        assertThat(PressureLevel.ofRate(level.lowerBoundPerSec())).isEqualTo(level);
        assertThat(PressureLevel.ofRate(Math.nextDown(level.upperBoundPerSec())))
                .isEqualTo(level);
        assertThat(PressureLevel.ofRate(Math.nextDown(level.lowerBoundPerSec())).ordinal())
                .isEqualTo(Math.max(0, level.ordinal() - 1));
    }

    @Test
    void countsANegativeRateOrNaNAsZero() {
        assertThat(PressureLevel.ofRate(-1)).isEqualTo(PressureLevel.L1_REALTIME);
        assertThat(PressureLevel.ofRate(Double.NaN)).isEqualTo(PressureLevel.L1_REALTIME);
        assertThat(PressureLevel.ofRate(Double.POSITIVE_INFINITY)).isEqualTo(PressureLevel.L10_MAX);
    }

    @Test
    void countsTenLevels() {
        assertThat(PressureLevel.count()).isEqualTo(10);
    }
}
