package io.microbatch.bench.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LengthsTest {

    @Test
    void aRunIsLongerWhereTheRateIsLow() {
        Lengths lengths = Lengths.of(14, null, null);
        assertThat(lengths.secondsAt(20)).as("never longer").isEqualTo(20);
        assertThat(lengths.secondsAt(50)).isEqualTo(20);
        assertThat(lengths.secondsAt(100)).as("1,000 events").isEqualTo(10);
        assertThat(lengths.secondsAt(200)).isEqualTo(8);
        assertThat(lengths.secondsAt(50_000)).isEqualTo(8);
    }

    @Test
    void theUsersLengthIsThatOfEveryRate() {
        Lengths lengths = Lengths.of(14, null, 2);
        assertThat(lengths.secondsAt(20)).isEqualTo(2);
        assertThat(lengths.secondsAt(1_000)).isEqualTo(2);
    }
}
