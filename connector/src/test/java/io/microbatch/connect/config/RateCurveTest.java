package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateCurveTest {

    private static final long MS = 1_000_000;

    @Test
    void spacesEventsEvenlyAtOneRate() {
        RateCurve curve = RateCurve.parse("1000");
        assertThat(curve.dueNanos(0)).isZero();
        assertThat(curve.dueNanos(1)).isEqualTo(MS);
        assertThat(curve.dueNanos(1_000_000_000L)).isEqualTo(1_000_000_000L * MS);
    }

    @Test
    void changesItsRateExactlyAtTheEndOfAStep() {
        RateCurve curve = RateCurve.parse("10@2s, 1000@250ms ,50");
        assertThat(curve.dueNanos(19)).isEqualTo(1_900 * MS);
        assertThat(curve.dueNanos(20)).isEqualTo(2_000 * MS);
        assertThat(curve.dueNanos(21)).isEqualTo(2_001 * MS);
        assertThat(curve.dueNanos(269)).isEqualTo(2_249 * MS);
        assertThat(curve.dueNanos(270)).isEqualTo(2_250 * MS);
        assertThat(curve.dueNanos(271)).isEqualTo(2_270 * MS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3@100ms,7@333ms,1000000@1ms,0.5@3s,777.7", "10@5s,10000@5s,10", "1e6@10ms,3"})
    void increasesStrictlyAcrossItsSteps(String text) {
        RateCurve curve = RateCurve.parse(text);
        long before = -1;
        for (long index = 0; index < 60_000; index++) {
            long due = curve.dueNanos(index);
            assertThat(due).isGreaterThan(before);
            before = due;
        }
    }

    @Test
    void carriesAFractionOfAnEventIntoTheNextStep() {
        // Half an event is due in the first step. The other half takes half of a tenth of a second in the second step.
        RateCurve curve = RateCurve.parse("5@300ms,10");
        assertThat(curve.dueNanos(1)).isEqualTo(200 * MS);
        assertThat(curve.dueNanos(2)).isEqualTo(350 * MS);
    }

    @Test
    void keepsItsLastRateForEverEvenWithADuration() {
        assertThat(RateCurve.parse("10@1s").dueNanos(1_000)).isEqualTo(100_000 * MS);
    }

    @Test
    void isUnlimitedAtRateZero() {
        assertThat(RateCurve.parse("0").unlimited()).isTrue();
        assertThat(RateCurve.parse("1").unlimited()).isFalse();
    }

    @Test
    void refusesAStepWithoutADurationBeforeTheLast() {
        assertThatThrownBy(() -> RateCurve.parse("1000,50"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("last step");
    }
}
