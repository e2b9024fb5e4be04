package io.microbatch.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.control.RegretFigures.AtRate;
import io.microbatch.bench.control.RegretFigures.Shown;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegretFiguresTest {

    private static Shown shown(String name, double capacity, double p99Ms) {
        return new Shown(name, 1, capacity, p99Ms, 1);
    }

    private final AtRate slow = new AtRate(
            50,
            5,
            shown("adaptive", 300, 8),
            List.of(shown("0", 200, 16), shown("5", 400, 10), shown("100", 4_000, 105)));
    private final AtRate fast = new AtRate(
            5_000,
            100,
            shown("adaptive", 80_000, 75),
            List.of(shown("0", 5_000, 49), shown("5", 30_000, 14), shown("100", 120_000, 112)));

    @Test
    void takesTheMostCapacityThatKeepsTheBudgetForTheBest() {
        assertThat(fast.best().name()).isEqualTo("5");
    }

    @Test
    void takesTheNearestWhereNoneKeepsTheBudget() {
        assertThat(slow.best().name()).isEqualTo("5");
        assertThat(slow.isKeptByAFixed()).isFalse();
    }

    @Test
    void givesEveryFixedSettingItsWorstRate() {
        assertThat(RegretFigures.worstRatios(List.of(slow, fast)))
                .containsEntry("0", 5_000 / 80_000.0)
                .containsEntry("5", 30_000 / 80_000.0)
                .containsEntry("100", 0.0);
    }

    @Test
    void comparesLatenciesWhereNobodyKeepsTheBudget() {
        assertThat(slow.ratio(shown("x", 1, 16))).isEqualTo(0.5);
        AtRate keptByAdaptive = new AtRate(50, 9, shown("adaptive", 300, 8), List.of(shown("0", 200, 16)));
        assertThat(keptByAdaptive.ratio(shown("0", 200, 16))).isZero();
    }
}
