package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import org.junit.jupiter.api.Test;

class PromiseTest {

    private static final Promise MAY_LOSE = Promise.of(Delivery.AT_LEAST_ONCE, "0", false);
    private static final Promise MAY_REPEAT = Promise.of(Delivery.AT_LEAST_ONCE, null, true);

    private static Findings check(long... sequences) {
        Oracle oracle = Oracle.even(1, 3);
        for (long sequence : sequences) {
            oracle.saw(0, sequence);
        }
        return oracle.findings();
    }

    @Test
    void onlyThatWithoutAcknowledgementsMayLose() {
        assertThat(MAY_LOSE.isKeptBy(check(0, 2))).isTrue();
        assertThat(MAY_LOSE.isKeptBy(check(0, 1, 2, 2))).isFalse();
        assertThat(Promise.of(Delivery.AT_LEAST_ONCE, "1", true).isKeptBy(check(0, 2)))
                .isFalse();
    }

    @Test
    void onlyAnInterruptedRunAtLeastOnceMayRepeat() {
        assertThat(MAY_REPEAT.isKeptBy(check(0, 1, 1, 2))).isTrue();
        assertThat(MAY_REPEAT.isKeptBy(check(0, 1))).isFalse();
        assertThat(Promise.of(Delivery.AT_LEAST_ONCE, null, false).isKeptBy(check(0, 1, 1, 2)))
                .isFalse();
        assertThat(Promise.of(Delivery.EXACTLY_ONCE, "all", true).isKeptBy(check(0, 1, 1, 2)))
                .isFalse();
    }

    @Test
    void nobodyMayReorderOrInvent() {
        assertThat(new Promise(true, true).isKeptBy(check(0, 2, 1))).isFalse();
        assertThat(new Promise(true, true).isKeptBy(check(0, 1, 2, 3))).isFalse();
    }
}
