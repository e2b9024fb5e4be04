package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LevelTargetsTest {

    private final LevelTargets targets = new LevelTargets(new ControlSettings(50_000, 1 << 20, 0, 200, 0.8), 0.1);

    @ParameterizedTest
    @EnumSource
    void beginsWithAThousandEventsPerMillisecondUpToTwentyThousandAndAPartOfTheBudget(PressureLevel level) {
        int budgetMs = Math.min(200, level.budgetMs());
        assertThat(targets.of(level))
                .isEqualTo(BatchTarget.best(Math.min(20_000, 1_000 * budgetMs), 100_000L * budgetMs));
    }

    @Test
    void beginsWithNoMoreThanTheFirstEventsUnlessTheyArePacked() {
        ControlSettings dear = new ControlSettings(50_000, 1 << 20, 0, 200, 0.8, 2_000, false);
        LevelTargets few = new LevelTargets(dear, 0.1);
        assertThat(few.of(PressureLevel.L1_REALTIME).batchTargetEvents()).isEqualTo(1_000);
        assertThat(few.of(PressureLevel.L5_BALANCED).batchTargetEvents()).isEqualTo(2_000);
        ControlSettings packed = new ControlSettings(50_000, 1 << 20, 0, 200, 0.8, 2_000, true);
        assertThat(new LevelTargets(packed, 0.1).of(PressureLevel.L1_REALTIME).batchTargetEvents())
                .isEqualTo(50_000);
    }

    @Test
    void changesOneLevelAndNoOther() {
        BatchTarget learned = BatchTarget.best(321, 1);
        targets.put(PressureLevel.L4_MODERATE, learned);
        assertThat(targets.of(PressureLevel.L4_MODERATE)).isSameAs(learned);
        assertThat(targets.of(PressureLevel.L3_LOW)).isEqualTo(BatchTarget.bootstrap(10, 0.1));
        assertThat(targets.of(PressureLevel.L5_BALANCED)).isEqualTo(BatchTarget.bootstrap(100, 0.1));
    }
}
