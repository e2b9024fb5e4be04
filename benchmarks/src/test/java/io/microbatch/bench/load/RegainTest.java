package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class RegainTest {

    /** Slow in the slices 5 to 8 and in slice 12. */
    private static final IntToDoubleFunction P99 = slice -> (slice >= 5 && slice <= 8) || slice == 12 ? 300 : 20;

    @Test
    void countsFromTheStepToTheBeginningOfACalmSecond() {
        assertThat(Regain.regainedMs(P99, 5, 40, 100))
                .as("slice 12 is not calm")
                .isEqualTo(800);
        assertThat(Regain.regainedMs(P99, 13, 40, 100)).isZero();
    }

    @Test
    void saysThatItNeverCameBack() {
        assertThat(Regain.regainedMs(P99, 5, 20, 100)).isNegative();
        assertThat(Regain.regainedMs(P99, 5, 40, 10)).isNegative();
    }

    @Test
    void settlesToTheMedian() {
        assertThat(Regain.settledMs(P99, 5, 20)).isEqualTo(20);
    }

    @Test
    void findsWhereTheBoundIsBroken() {
        assertThat(Regain.firstAbove(P99, 0, 20, 100)).isEqualTo(5);
        assertThat(Regain.firstAbove(P99, 9, 20, 100)).isEqualTo(12);
        assertThat(Regain.firstAbove(P99, 13, 20, 100)).as("nowhere").isEqualTo(13);
    }
}
