package io.microbatch.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitTimesTest {

    private final WaitTimes waits = new WaitTimes(60);

    @Test
    void countsRequestsBeyondTheLimit() {
        waits.waited(100, 160);
        waits.waited(100, 161);

        assertThat(waits.hung()).isEqualTo(1);
    }

    @Test
    void doesNotCountTheTimeInWhichAWorkerWasFrozen() {
        waits.frozen(120, 190);
        waits.waited(100, 230);
        assertThat(waits.hung()).as("130 less 70").isZero();

        waits.waited(100, 231);
        assertThat(waits.hung()).isEqualTo(1);

        waits.waited(180, 250);
        assertThat(waits.hung()).as("70 less 10").isEqualTo(1);
    }
}
