package io.microbatch.connect.control;

import static io.microbatch.connect.control.ReplayedBroker.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;

/** Rule 7 of the fast loop: the distance of two transactions. */
class PacingTest {

    private static final int MAX_EVENTS = 50_000;
    private static final long USUAL = 3 * MS;
    private static final long BACKED_OFF = 24 * MS;

    private long nowNanos = MS;
    private long pacingNanos;

    private static ControlSettings budget(int budgetMs) {
        return new ControlSettings(
                MAX_EVENTS, 16 << 20, 0, new LatencyBudgets(budgetMs, budgetMs), Margin.DEFAULT, false, false);
    }

    private static AdaptiveController controller(int budgetMs, BatchTarget target) {
        LevelTargets targets = new LevelTargets(budget(budgetMs), Objective.EFFICIENCY);
        targets.put(PressureLevel.L4_MODERATE, target);
        return new AdaptiveController(budget(budgetMs), targets);
    }

    /** Transactions that follow each other at the distance in force, most of which back off if that is too short. */
    private void commit(AdaptiveController controller, int transactions, double markersMs) {
        for (int i = 0; i < transactions; i++) {
            pacingNanos = controller.decide(nowNanos, 1_000).pacingNanos();
            // One of five does not wait, so that what is usual is known.
            long delayNanos = i % 5 > 0 && pacingNanos < markersMs * MS ? BACKED_OFF : USUAL;
            nowNanos += pacingNanos + delayNanos;
            controller.acknowledged(nowNanos, delayNanos, 0, delayNanos + MS, true);
        }
    }

    @Test
    void keepsTheDistanceAtWhichTransactionsNoLongerWait() {
        AdaptiveController controller = controller(50, BatchTarget.best(5_000, 10 * MS));
        commit(controller, 10, 0);
        assertThat(pacingNanos).isEqualTo(MarkerTime.MIN_NANOS);
        // Half of a delay of 3 ms would be too short.
        commit(controller, 1_000, 5);
        assertThat(pacingNanos).isBetween(4 * MS, 8 * MS);
    }

    /** The broker does nothing in that time. */
    @Test
    void aPauseBeforeTheOffsetsIsNoPartOfACommit() {
        AdaptiveController controller = controller(75, BatchTarget.best(5_000, 10 * MS));
        for (int i = 0; i < 200; i++) {
            pacingNanos = controller.decide(nowNanos, 1_000).pacingNanos();
            long pausedNanos = (i % 20 == 0 ? 28 : 14) * MS;
            nowNanos += pacingNanos + USUAL + pausedNanos;
            controller.acknowledged(nowNanos, USUAL + pausedNanos, pausedNanos, USUAL + pausedNanos + MS, true);
        }
        assertThat(pacingNanos).isEqualTo(MarkerTime.MIN_NANOS);
    }

    /** An event that arrives just after a commit would be late by the distance alone. */
    @Test
    void pacesByNoMoreThanHalfOfABudgetThatCanBeKept() {
        AdaptiveController controller = controller(10, BatchTarget.best(5_000, 2 * MS));
        commit(controller, 10, 0);
        for (int i = 0; i < 1_000; i++) {
            commit(controller, 1, 20);
            assertThat(pacingNanos).isBetween(MarkerTime.MIN_NANOS, 5 * MS);
        }
    }

    /** If nearly all transactions wait, none shows how long they take without waiting. */
    @Test
    void keepsHalfOfAUsualCommitBeyondTheBudgetIfNearlyAllTransactionsWait() {
        BatchTarget beyond = new BatchTarget(new BatchSetting(5_000, 6 * MS), false, true, false, false);
        AdaptiveController controller = controller(10, beyond);
        for (int i = 0; i < 100; i++) {
            pacingNanos = controller.decide(nowNanos, 1_000).pacingNanos();
            nowNanos += pacingNanos + BACKED_OFF;
            controller.acknowledged(nowNanos, BACKED_OFF, 0, BACKED_OFF + MS, true);
        }
        assertThat(pacingNanos).isEqualTo(MarkerTime.MAX_NANOS);
    }

    /** A broker that takes a second for each commit needs no distance of half a second. */
    @Test
    void pacesBeyondTheBudgetByNoMoreThanMarkersTake() {
        BatchTarget beyond = new BatchTarget(new BatchSetting(5_000, 1_000 * MS), false, true, false, false);
        AdaptiveController controller = controller(50, beyond);
        for (int i = 0; i < 100; i++) {
            pacingNanos = controller.decide(nowNanos, 1_000).pacingNanos();
            nowNanos += 2_000 * MS;
            controller.acknowledged(nowNanos, 1_000 * MS, 0, 2_000 * MS, true);
        }
        assertThat(pacingNanos).isEqualTo(MarkerTime.MAX_NANOS);
    }

    /** The distance after many transactions of this number of events, all of which took as long. */
    private long pacingNanos(int events, long commitNanos) {
        AdaptiveController controller = controller(75, BatchTarget.best(20_000, 40 * MS));
        for (int i = 0; i < 128; i++) {
            pacingNanos = controller.decide(nowNanos, 1_000).pacingNanos();
            nowNanos += 2 * commitNanos;
            controller.returned(events, 100L * events);
            controller.acknowledged(nowNanos, commitNanos, 0, 2 * commitNanos, true);
        }
        return pacingNanos;
    }

    /** Such a distance would make the next transactions larger, and longer. */
    @Test
    void keepsNoLongerDistanceWhereCommitsAreLongBecauseOfTheirEvents() {
        assertThat(pacingNanos(12_500, 60 * MS)).isEqualTo(MarkerTime.MAX_NANOS);
    }

    @Test
    void keepsHalfOfACommitThatIsLongBecauseOfTheBroker() {
        assertThat(pacingNanos(100, 60 * MS)).isBetween(29 * MS, 30 * MS);
        assertThat(pacingNanos(3_750, 18 * MS)).as("up to the maximum").isEqualTo(9 * MS);
    }

    /** The distance of half a commit is longer than the first estimate, and yet too short. */
    @Test
    void findsTheDistanceWhereHalfOfACommitIsTooShort() {
        AdaptiveController controller = controller(75, BatchTarget.best(5_000, 10 * MS));
        int waited = 0;
        for (int i = 0; i < 1_000; i++) {
            pacingNanos = controller.decide(nowNanos, 1_000).pacingNanos();
            boolean waits = i % 5 > 0 && pacingNanos < 7 * MS;
            long delayNanos = (waits ? 31 : 10) * MS;
            waited += waits && i >= 800 ? 1 : 0;
            nowNanos += pacingNanos + delayNanos;
            controller.acknowledged(nowNanos, delayNanos, 0, delayNanos + MS, true);
        }
        assertThat(waited).isLessThan(40);
    }
}
