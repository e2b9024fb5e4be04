package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LevelTargetsTest {

    private final LevelTargets targets = new LevelTargets(
            new ControlSettings(50_000, 1 << 20, 0, new LatencyBudgets(0, 200), Margin.DEFAULT, false, false),
            Objective.LATENCY);

    @ParameterizedTest
    @EnumSource
    void bootstrapsWithAThousandEventsPerMillisecondUpToTwentyThousandAndAFractionOfTheBudget(PressureLevel level) {
        int budgetMs = Math.min(200, level.budgetMs());
        assertThat(targets.of(level))
                .isEqualTo(BatchTarget.first(
                        new BatchSetting(Math.min(20_000, 1_000 * budgetMs), 100_000L * budgetMs), false));
    }

    @Test
    void limitsTheBootstrapOfUnknownEventsUnlessTheyArePacked() {
        LevelTargets few = ofUnknownEvents();
        assertThat(few.of(PressureLevel.L1_REALTIME).setting().maxEvents()).isEqualTo(1_000);
        assertThat(few.of(PressureLevel.L5_BALANCED).setting().maxEvents()).isEqualTo(2_000);
        ControlSettings packed =
                new ControlSettings(50_000, 1 << 20, 0, new LatencyBudgets(0, 200), Margin.DEFAULT, true, true);
        assertThat(new LevelTargets(packed, Objective.LATENCY)
                        .of(PressureLevel.L1_REALTIME)
                        .setting()
                        .maxEvents())
                .isEqualTo(50_000);
    }

    private static LevelTargets ofUnknownEvents() {
        return new LevelTargets(
                new ControlSettings(50_000, 1 << 20, 0, new LatencyBudgets(0, 200), Margin.DEFAULT, true, false),
                Objective.LATENCY);
    }

    @Test
    void aNewLimitChangesLevelsOfWhichNothingIsLearned() {
        LevelTargets few = ofUnknownEvents();
        BatchTarget learned = BatchTarget.best(2_000, 20_000_000);
        few.put(PressureLevel.L6_THROUGHPUT, learned);
        few.put(PressureLevel.L7_HIGH, BatchTarget.first(few.first(PressureLevel.L7_HIGH), true));
        few.limitFirst(8_000);
        assertThat(few.of(PressureLevel.L1_REALTIME).setting().maxEvents()).isEqualTo(1_000);
        assertThat(few.of(PressureLevel.L5_BALANCED).setting().maxEvents()).isEqualTo(8_000);
        assertThat(few.first(PressureLevel.L6_THROUGHPUT).maxEvents()).isEqualTo(8_000);
        assertThat(few.of(PressureLevel.L6_THROUGHPUT)).isSameAs(learned);
        assertThat(few.of(PressureLevel.L7_HIGH).setting().maxEvents()).isEqualTo(8_000);
        assertThat(few.of(PressureLevel.L7_HIGH).exploring()).isTrue();
    }

    @Test
    void changesOneLevelOnly() {
        BatchTarget learned = BatchTarget.best(321, 1);
        targets.put(PressureLevel.L4_MODERATE, learned);
        assertThat(targets.of(PressureLevel.L4_MODERATE)).isSameAs(learned);
        assertThat(targets.of(PressureLevel.L3_LOW).setting()).isEqualTo(BatchSetting.first(10, Objective.LATENCY));
        assertThat(targets.of(PressureLevel.L5_BALANCED).setting())
                .isEqualTo(BatchSetting.first(100, Objective.LATENCY));
    }
}
