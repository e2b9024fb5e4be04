package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BootstrapTargetTest {

    @Test
    void isAThousandEventsForAMillisecondOfTheBudgetAndAPartOfIt() {
        assertThat(BootstrapTarget.of(1, 0.5)).isEqualTo(new BootstrapTarget(1_000, 500_000));
        assertThat(BootstrapTarget.of(5, 0.1)).isEqualTo(new BootstrapTarget(5_000, 500_000));
    }

    @Test
    void isTwentyThousandEventsAtMost() {
        assertThat(BootstrapTarget.of(50, 0.5)).isEqualTo(new BootstrapTarget(20_000, 25_000_000));
        assertThat(BootstrapTarget.of(Integer.MAX_VALUE, 0.5).batchTargetEvents())
                .isEqualTo(20_000);
    }

    @Test
    void beginsWithFewerEventsWhereTheyAreHosted() {
        assertThat(BootstrapTarget.ofHosted(1, 0.5)).isEqualTo(BootstrapTarget.of(1, 0.5));
        assertThat(BootstrapTarget.ofHosted(50, 0.5)).isEqualTo(new BootstrapTarget(2_000, 25_000_000));
    }
}
