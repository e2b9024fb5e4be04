package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LevelSelectorTest {

    private static final long MS = 1_000_000;
    private static final long START = Long.MAX_VALUE - 700 * MS;

    private final LevelSelector selector = new LevelSelector();

    @Test
    void startsAtTheFirstLevel() {
        assertThat(selector.level()).isEqualTo(PressureLevel.L1_REALTIME);
    }

    @Test
    void risesOverSeveralLevelsAtOnce() {
        assertThat(selector.select(100_000, START)).isEqualTo(PressureLevel.L7_HIGH);
        assertThat(selector.level()).isEqualTo(PressureLevel.L7_HIGH);
    }

    @ParameterizedTest
    @EnumSource(names = "L10_MAX", mode = EnumSource.Mode.EXCLUDE)
    void risesOnlyWhenTheRateIsATenthAboveTheBand(PressureLevel level) {
        LevelSelector fresh = at(level);
        assertThat(fresh.select(level.upperBoundPerSec() * 1.09, START)).isEqualTo(level);
        assertThat(fresh.select(level.upperBoundPerSec() * 1.11, START))
                .isEqualTo(PressureLevel.ofNumber(level.number() + 1));
    }

    @ParameterizedTest
    @EnumSource(names = "L1_REALTIME", mode = EnumSource.Mode.EXCLUDE)
    void fallsOnlyAfterTheRateWasLowForTheDwell(PressureLevel level) {
        LevelSelector fresh = at(level);
        double low = level.lowerBoundPerSec() * 0.84;
        assertThat(fresh.select(low, START)).isEqualTo(level);
        assertThat(fresh.select(low, START + 500 * MS - 1)).isEqualTo(level);
        assertThat(fresh.select(low, START + 500 * MS)).isEqualTo(PressureLevel.ofNumber(level.number() - 1));
    }

    @Test
    void fallsOverSeveralLevelsAtOnceAfterOneDwell() {
        selector.select(100_000, START);
        selector.select(0, START);
        assertThat(selector.select(0, START + 600 * MS)).isEqualTo(PressureLevel.L1_REALTIME);
    }

    @Test
    void restartsTheDwellWhenTheRateRecovers() {
        selector.select(3_000, START);
        selector.select(1_000, START);
        selector.select(1_900, START + 400 * MS);

        assertThat(selector.select(1_000, START + 600 * MS)).isEqualTo(PressureLevel.L5_BALANCED);
        assertThat(selector.select(1_000, START + 1_099 * MS)).isEqualTo(PressureLevel.L5_BALANCED);
        assertThat(selector.select(1_000, START + 1_100 * MS)).isEqualTo(PressureLevel.L4_MODERATE);
    }

    @Test
    void staysInsideTheBandAtBothEdges() {
        selector.select(3_000, START);
        assertThat(selector.select(2_000 * 0.86, START + 10_000 * MS)).isEqualTo(PressureLevel.L5_BALANCED);
        assertThat(selector.select(2_000 * 0.86, START + 20_000 * MS)).isEqualTo(PressureLevel.L5_BALANCED);
        assertThat(selector.select(10_000 * 1.09, START + 30_000 * MS)).isEqualTo(PressureLevel.L5_BALANCED);
    }

    @ParameterizedTest
    @EnumSource(names = "L1_REALTIME", mode = EnumSource.Mode.EXCLUDE)
    void doesNotFlapOnNoiseAroundAnEdge(PressureLevel level) {
        Random random = new Random(level.number());
        LevelSelector fresh = new LevelSelector();
        fresh.select(level.lowerBoundPerSec() * 0.95, START);
        int changes = 0;
        for (int i = 0; i < 10_000; i++) {
            PressureLevel before = fresh.level();
            double noise = 0.9 + 0.25 * random.nextDouble();
            if (fresh.select(level.lowerBoundPerSec() * noise, START + i * 10 * MS) != before) {
                changes++;
            }
        }
        assertThat(changes).isEqualTo(1);
        assertThat(fresh.level()).isEqualTo(level);
    }

    @Test
    void ignoresARateThatIsNaN() {
        selector.select(3_000, START);
        selector.select(Double.NaN, START);
        assertThat(selector.select(Double.NaN, START + 10_000 * MS)).isEqualTo(PressureLevel.L5_BALANCED);
    }

    private static LevelSelector at(PressureLevel level) {
        LevelSelector fresh = new LevelSelector();
        fresh.select(level.lowerBoundPerSec() * 1.2, START);
        assertThat(fresh.level()).isEqualTo(level);
        return fresh;
    }
}
