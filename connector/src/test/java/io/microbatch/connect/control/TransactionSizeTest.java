package io.microbatch.connect.control;

import static io.microbatch.connect.control.ReplayedBroker.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import org.junit.jupiter.api.Test;

/** Rule 10 of the fast loop: N on a slow broker. */
class TransactionSizeTest {

    private static final int FIRST_EVENTS = 20_000;
    private static final double SLOW_EVENTS_PER_SEC = 600;

    private final ControlSettings settings = new ControlSettings(
            50_000, 16 << 20, 0, new LatencyBudgets(0, Integer.MAX_VALUE), Margin.DEFAULT, false, false);
    private final AdaptiveController controller =
            new AdaptiveController(settings, new LevelTargets(settings, Objective.EFFICIENCY));
    private long nowNanos = MS;

    private int maxEvents() {
        return controller.decide(nowNanos, 100_000).setting().maxEvents();
    }

    private void commit(int events, long delayNanos) {
        nowNanos += delayNanos;
        controller.returned(events, 100L * events);
        controller.acknowledged(nowNanos, delayNanos, 0, delayNanos, true);
    }

    /** N on a broker that takes some seconds for the largest transaction that it gets. */
    private int reduced() {
        assertThat(maxEvents()).isEqualTo(FIRST_EVENTS);
        for (int i = 0; i < 20; i++) {
            int events = maxEvents();
            commit(events, (long) (events * 1e9 / SLOW_EVENTS_PER_SEC));
        }
        return maxEvents();
    }

    @Test
    void reducesTransactionsUntilTheyKeepTheirTimeLimit() {
        assertThat(reduced()).isBetween(1_500, 3_750);
        assertThat(controller.decide(nowNanos, 100_000).aimedEvents())
                .as("what the learner takes for N")
                .isEqualTo(FIRST_EVENTS);
        for (int i = 0; i < 20; i++) {
            commit(maxEvents(), 10 * MS);
        }
        assertThat(maxEvents()).isEqualTo(FIRST_EVENTS);
    }

    /** After a quiet hour a burst would be one transaction of the first N, which the broker aborts after a minute. */
    @Test
    void doesNotGrowBecauseSmallTransactionsAreFast() {
        int reduced = reduced();
        for (int i = 0; i < 40; i++) {
            commit(50, 600 * MS);
        }
        assertThat(maxEvents()).isEqualTo(reduced);
    }

    @Test
    void keepsTheTransactionSizeWhenTheDurationDoesNotDependOnIt() {
        assertThat(maxEvents()).isEqualTo(FIRST_EVENTS);
        for (int i = 0; i < 10; i++) {
            commit(maxEvents(), 60_000 * MS);
        }
        assertThat(maxEvents()).isEqualTo(FIRST_EVENTS);

        commit(FIRST_EVENTS, 200_000 * MS);
        assertThat(maxEvents()).as("far worse than when it did not help").isEqualTo(2_500);
    }
}
