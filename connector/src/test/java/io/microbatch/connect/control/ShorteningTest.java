package io.microbatch.connect.control;

import static io.microbatch.connect.control.ReplayedBroker.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import org.junit.jupiter.api.Test;

/** Rule 6 of the fast loop: late events shorten the linger. */
class ShorteningTest {

    private static final int MAX_EVENTS = 50_000;
    private static final ControlSettings SETTINGS = new ControlSettings(
            MAX_EVENTS, 16 << 20, 0, new LatencyBudgets(0, Integer.MAX_VALUE), Margin.DEFAULT, false, false);

    private final AdaptiveController controller =
            new AdaptiveController(SETTINGS, new LevelTargets(SETTINGS, Objective.EFFICIENCY));

    @Test
    void shortensTheLingerWhenMoreThanOneEventOfAHundredIsLateAndRestoresItWithinSeconds() {
        controller.decide(MS, 5_000);
        halfLate(1_100);
        halfLate(1_150);
        assertThat(lingerMs(1_151)).as("one event of a hundred is allowed").isEqualTo(50.0);
        halfLate(1_200);
        assertThat(lingerMs(1_201)).isBetween(34.9, 35.1);
        // The same cause is not counted twice within one acknowledgement delay.
        halfLate(1_201);
        halfLate(1_202);
        halfLate(1_203);
        assertThat(lingerMs(1_204)).isBetween(34.9, 35.1);
        halfLate(1_250);
        assertThat(lingerMs(1_251)).isBetween(24.4, 24.6);

        assertThat(lingerMs(2_250)).isBetween(36.0, 37.5);
        assertThat(lingerMs(4_000)).isEqualTo(50.0);
    }

    private void halfLate(long atMs) {
        controller.acknowledged(atMs * MS, 5 * MS, 0, 195 * MS, false);
    }

    private double lingerMs(long atMs) {
        return controller.decide(atMs * MS, 5_000).setting().lingerMs();
    }

    @Test
    void countsNoLateEventsOfAnotherLevel() {
        controller.decide(MS, 5_000);
        halfLate(1_100);
        halfLate(1_150);
        controller.decide(1_160 * MS, 20_000);
        controller.acknowledged(3_000 * MS, 5 * MS, 0, 550 * MS, false);
        assertThat(controller.decide(3_001 * MS, 20_000).setting().lingerMs()).isEqualTo(250.0);
    }

    @Test
    void keepsTheLingerWhenOnlyTheFirstEventsOfSomeBatchesAreLate() {
        controller.decide(MS, 5_000);
        for (int i = 1; i <= 1_000; i++) {
            // One batch of ten is a millisecond over the budget of 100: one event of a thousand is late.
            long worstLatencyNanos = i % 10 == 0 ? 101 * MS : 60 * MS;
            controller.acknowledged(200 * i * MS, 5 * MS, 0, worstLatencyNanos, true);
            assertThat(lingerMs(200L * i + 1)).isEqualTo(50.0);
        }
        double minLingerMs = 50;
        for (int i = 1_001; i <= 1_060; i++) {
            // Every batch is two milliseconds over it: two events of a hundred.
            controller.acknowledged(200 * i * MS, 5 * MS, 0, 102 * MS, true);
            minLingerMs = Math.min(minLingerMs, lingerMs(200L * i + 1));
        }
        assertThat(minLingerMs).isEqualTo(35.0);
    }

    @Test
    void keepsTheLingerWhenHalfOfItWouldBreakTheBudgetToo() {
        controller.decide(MS, 5_000);
        for (int i = 1; i <= 10; i++) {
            controller.acknowledged(200 * i * MS, (i % 5 == 0 ? 76 : 5) * MS, 0, (i % 5 == 0 ? 126 : 55) * MS, true);
            assertThat(controller.decide((200 * i + 1) * MS, 5_000).setting().lingerMs())
                    .isEqualTo(50.0);
        }
        controller.acknowledged(2_200 * MS, 74 * MS, 0, 124 * MS, true);
        controller.acknowledged(2_300 * MS, 74 * MS, 0, 124 * MS, true);
        assertThat(lingerMs(2_301))
                .as("25 ms would have kept it, but half of the events of two batches is not enough")
                .isEqualTo(50.0);
        controller.acknowledged(2_400 * MS, 74 * MS, 0, 124 * MS, true);
        assertThat(lingerMs(2_401)).isEqualTo(35.0);
    }

    @Test
    void keepsTheLingerWhenOneBatchOfAHundredBreaksTheBudget() {
        controller.decide(MS, 5_000);
        for (int i = 1; i <= 1_000; i++) {
            long worstLatencyNanos = i % (LateEvents.BATCHES + 1) == 0 ? 120 * MS : 60 * MS;
            controller.acknowledged(200 * i * MS, 5 * MS, 0, worstLatencyNanos, true);
            assertThat(controller.decide((200 * i + 1) * MS, 5_000).setting().lingerMs())
                    .isEqualTo(50.0);
        }
    }

    /** They wait for a back-off, which a shorter linger does not shorten, and more transactions wait. */
    @Test
    void keepsTheLingerWhenTheLateEventsAreThoseOfAFewBatches() {
        controller.decide(MS, 5_000);
        for (int i = 1; i <= 1_000; i++) {
            // Two of five events of one batch of fifteen: 2.7 of a hundred events are late.
            long worstLatencyNanos = i % 15 == 0 ? 120 * MS : 60 * MS;
            controller.acknowledged(200 * i * MS, (i % 15 == 0 ? 70 : 10) * MS, 0, worstLatencyNanos, true);
            assertThat(lingerMs(200L * i + 1)).as("batch %d", i).isEqualTo(50.0);
        }
        double minLingerMs = 50;
        for (int i = 1_001; i <= 1_060; i++) {
            long worstLatencyNanos = i % 8 == 0 ? 120 * MS : 60 * MS;
            controller.acknowledged(200 * i * MS, (i % 8 == 0 ? 70 : 10) * MS, 0, worstLatencyNanos, true);
            minLingerMs = Math.min(minLingerMs, lingerMs(200L * i + 1));
        }
        assertThat(minLingerMs).isEqualTo(35.0);
    }

    /** No transaction waits there for another one: a shorter linger adds no late batch. */
    @Test
    void shortensTheLingerForTheLateEventsOfAFewBatchesInAtLeastOnceMode() {
        controller.decide(MS, 5_000);
        double minLingerMs = 50;
        for (int i = 1; i <= 100; i++) {
            long worstLatencyNanos = i % 15 == 0 ? 120 * MS : 60 * MS;
            controller.acknowledged(200 * i * MS, 10 * MS, 0, worstLatencyNanos, false);
            minLingerMs = Math.min(minLingerMs, lingerMs(200L * i + 1));
        }
        assertThat(minLingerMs).isEqualTo(35.0);
    }
}
