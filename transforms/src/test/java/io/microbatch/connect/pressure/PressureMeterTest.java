package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PressureMeterTest {

    private static final long MS = 1_000_000;
    private static final long START = Long.MAX_VALUE - 1_000 * MS;

    private final PressureMeter meter = new PressureMeter(500, START);

    @Test
    void startsAtL1WithARateOfZero() {
        assertThat(meter.observe(START, 0)).isEqualTo(PressureLevel.L1_REALTIME);
        assertThat(meter.perSec()).isZero();
    }

    @Test
    void measuresTheRateAndTheLevelOfASteadyStream() {
        for (int i = 1; i <= 10_000; i++) {
            meter.observe(START + i * MS, i);
        }
        assertThat(meter.level()).isEqualTo(PressureLevel.L4_MODERATE);
        assertThat(meter.perSec()).isCloseTo(1_000, within(1.0));
    }

    @Test
    void detectsTheEndOfAStreamAtTheFirstObservationAfterAPause() {
        meter.observe(START + 5_000 * MS, 5_000);
        assertThat(meter.level()).isEqualTo(PressureLevel.L4_MODERATE);

        assertThat(meter.observe(START + 15_000 * MS, 5_000)).isEqualTo(PressureLevel.L1_REALTIME);
    }

    @Test
    void isIndependentOfTheNumberOfObservations() {
        PressureMeter often = new PressureMeter(500, START);
        for (int i = 1; i <= 300; i++) {
            often.observe(START + i * 10 * MS, i * 50L);
        }
        meter.observe(START + 3_000 * MS, 15_000);
        assertThat(meter.level()).isEqualTo(often.level()).isEqualTo(PressureLevel.L5_BALANCED);
        assertThat(meter.perSec()).isCloseTo(often.perSec(), within(10.0));
    }

    @Test
    void ignoresAClockThatStandsStillOrRunsBackwards() {
        meter.observe(START + 1_000 * MS, 1_000);
        double before = meter.perSec();
        meter.observe(START + 1_000 * MS, 100_000);
        meter.observe(START, 100_000);
        assertThat(meter.perSec()).isEqualTo(before);
    }
}
