package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LatencyBudgetsTest {

    @ParameterizedTest
    @EnumSource(PressureLevel.class)
    void keepsTheLevelsBudgetsFrom30To75MsWithoutATarget(PressureLevel level) {
        for (Objective objective : Objective.values()) {
            LatencyBudgets budgets = LatencyBudgets.of(OptionalInt.empty(), objective);
            assertThat(budgets.budgetMs(level)).isEqualTo(Math.max(30, Math.min(75, level.budgetMs())));
        }
    }

    @ParameterizedTest
    @EnumSource(PressureLevel.class)
    void usesTheTargetAsBudgetOfEveryLevelForEfficiency(PressureLevel level) {
        for (int targetMs : new int[] {1, 30, 40_000}) {
            LatencyBudgets budgets = LatencyBudgets.of(OptionalInt.of(targetMs), Objective.EFFICIENCY);
            assertThat(budgets.budgetMs(level)).isEqualTo(targetMs);
        }
    }

    @Test
    void capsTheBudgetsByTheTargetForLatency() {
        LatencyBudgets budgets = LatencyBudgets.of(OptionalInt.of(40), Objective.LATENCY);
        assertThat(budgets.budgetMs(PressureLevel.L1_REALTIME))
                .as("as without a target")
                .isEqualTo(30);
        assertThat(budgets.budgetMs(PressureLevel.L4_MODERATE)).isEqualTo(40);
        assertThat(budgets.budgetMs(PressureLevel.L10_MAX)).isEqualTo(40);
        assertThat(LatencyBudgets.of(OptionalInt.of(10), Objective.LATENCY).budgetMs(PressureLevel.L1_REALTIME))
                .isEqualTo(10);
    }

    @Test
    void allowsATargetAboveTheDefaultCap() {
        assertThat(LatencyBudgets.of(OptionalInt.of(500), Objective.LATENCY).budgetMs(PressureLevel.L6_THROUGHPUT))
                .isEqualTo(500);
    }
}
