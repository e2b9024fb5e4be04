package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LevelTargetsTest {

    private final LevelTargets targets = new LevelTargets();

    @ParameterizedTest
    @EnumSource
    void beginsWithAThousandEventsPerMillisecondAndHalfTheBudget(PressureLevel level) {
        assertThat(targets.of(level)).isEqualTo(new BatchTarget(1_000 * level.budgetMs(), 500_000L * level.budgetMs()));
    }

    @Test
    void changesOneLevelAndNoOther() {
        BatchTarget learned = new BatchTarget(321, 1);
        targets.put(PressureLevel.L4_MODERATE, learned);
        assertThat(targets.of(PressureLevel.L4_MODERATE)).isSameAs(learned);
        assertThat(targets.of(PressureLevel.L3_LOW)).isEqualTo(BatchTarget.bootstrap(PressureLevel.L3_LOW));
        assertThat(targets.of(PressureLevel.L5_BALANCED)).isEqualTo(BatchTarget.bootstrap(PressureLevel.L5_BALANCED));
    }
}
