package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;

class FirstEventsTest {

    private final LevelTargets targets = new LevelTargets(
            new ControlSettings(50_000, 1 << 20, 0, new LatencyBudgets(0, 75), Margin.DEFAULT, true, false),
            Objective.EFFICIENCY);
    private final FirstEvents firstEvents = new FirstEvents(targets);

    private int returned(int events, long eventBytes) {
        firstEvents.returned(events, events * eventBytes);
        return targets.of(PressureLevel.L5_BALANCED).setting().maxEvents();
    }

    @Test
    void followsTheMeanSizeOfTheEvents() {
        assertThat(returned(1_000, 300)).isEqualTo(10_000);
        assertThat(returned(1_000, 900)).as("a mean of 600 bytes").isEqualTo(5_000);
    }

    @Test
    void staysIfTheMeanChangesLittle() {
        assertThat(returned(1_000, 300)).isEqualTo(10_000);
        BatchTarget before = targets.of(PressureLevel.L5_BALANCED);
        assertThat(returned(1_000, 450)).isEqualTo(10_000);
        assertThat(targets.of(PressureLevel.L5_BALANCED)).isSameAs(before);
    }

    @Test
    void forgetsOldEvents() {
        assertThat(returned(1_000_000, 300)).isEqualTo(10_000);
        for (int i = 0; i < 10; i++) {
            returned(20_000, 1_000);
        }
        assertThat(returned(20_000, 1_000)).isBetween(3_000, 3_750);
    }
}
