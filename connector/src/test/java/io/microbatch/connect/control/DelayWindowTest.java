package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DelayWindowTest {

    private static final long SEC = 1_000_000_000;
    private static final long START = Long.MAX_VALUE - 5 * SEC;

    private final DelayWindow window = new DelayWindow();

    @Test
    void returnsZeroWhileEmpty() {
        assertThat(window.quantileNanos(0.99)).isZero();
    }

    @Test
    void sortsDelays() {
        for (int i = 0; i < 100; i++) {
            window.add(START, (i * 37) % 100 + 1);
        }
        assertThat(window.quantileNanos(0.5)).isEqualTo(50);
        assertThat(window.quantileNanos(0.99)).isEqualTo(99);
        assertThat(window.quantileNanos(1)).isEqualTo(100);
        assertThat(window.quantileNanos(0)).isEqualTo(1);
    }

    @Test
    void returnsTheOnlyDelayForEveryQuantile() {
        window.add(START, 7);
        assertThat(window.quantileNanos(0.5)).isEqualTo(7);
        assertThat(window.quantileNanos(0.99)).isEqualTo(7);
    }

    @Test
    void keepsTheLast128Delays() {
        window.add(START, 1_000_000);
        for (int i = 0; i < 127; i++) {
            window.add(START, 5);
        }
        assertThat(window.quantileNanos(1)).isEqualTo(1_000_000);
        window.add(START, 5);
        assertThat(window.quantileNanos(1)).isEqualTo(5);
    }

    @Test
    void aDelayIsFreshForTwoSeconds() {
        assertThat(window.freshQuantileNanos(START, 1)).isZero();
        window.add(START, 7);
        assertThat(window.freshQuantileNanos(START + 2 * SEC, 1)).isEqualTo(7);
        assertThat(window.freshQuantileNanos(START + 2 * SEC + 1, 1)).isZero();
        assertThat(window.quantileNanos(1)).isEqualTo(7);
    }

    @Test
    void dropsDelaysOlderThanTenSecondsAtTheNextAcknowledgement() {
        window.add(START, 1_000_000);
        window.add(START + 10 * SEC, 5);
        assertThat(window.quantileNanos(1)).isEqualTo(1_000_000);
        window.add(START + 10 * SEC + 1, 5);
        assertThat(window.quantileNanos(1)).isEqualTo(5);
    }
}
