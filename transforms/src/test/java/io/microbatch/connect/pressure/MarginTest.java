package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarginTest {

    private static final long MS = 1_000_000;

    @Test
    void reservesAFifthOfABudgetAndAtMostTenMilliseconds() {
        assertThat(Margin.DEFAULT.usableNanos(30 * MS)).isEqualTo(24 * MS);
        assertThat(Margin.DEFAULT.usableNanos(50 * MS)).isEqualTo(40 * MS);
        assertThat(Margin.DEFAULT.usableNanos(100 * MS)).isEqualTo(90 * MS);
        assertThat(Margin.DEFAULT.floorNanos(100 * MS)).isEqualTo(20 * MS);
    }

    @Test
    void usesTheOperatorsRatioOfEveryBudget() {
        assertThat(Margin.ofRatio(0.5).usableNanos(30 * MS)).isEqualTo(15 * MS);
        assertThat(Margin.ofRatio(0.5).usableNanos(200 * MS)).isEqualTo(100 * MS);
        assertThat(Margin.ofRatio(0.5).floorNanos(200 * MS)).isEqualTo(25 * MS);
        assertThat(Margin.ofRatio(0.8).floorNanos(200 * MS)).isEqualTo(40 * MS);
        assertThat(Margin.ofRatio(0.9).floorNanos(200 * MS)).isEqualTo(20 * MS);
    }
}
