package io.microbatch.connect.control;

import static io.microbatch.connect.control.ReplayedBroker.MS;
import static io.microbatch.connect.control.ReplayedBroker.worstLatencyMs;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.control.ReplayedBroker.Seen;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replayed scenarios: each takes rates and delays of a broker, and checks ranges of decisions. */
class AdaptiveControllerTest {

    private static final int MAX_EVENTS = 50_000;
    private static final ControlSettings SETTINGS = settings(new LatencyBudgets(0, Integer.MAX_VALUE));

    private final LevelTargets targets = new LevelTargets(SETTINGS, Objective.EFFICIENCY);
    private final AdaptiveController controller = new AdaptiveController(SETTINGS, targets);

    private static ControlSettings settings(LatencyBudgets budgets) {
        return new ControlSettings(MAX_EVENTS, 16 << 20, 0, budgets, Margin.DEFAULT, false, false);
    }

    @Test
    void usesHalfTheBudgetForLingerAtASteadyRate() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        List<Seen> batches = model.run(10_000, 5_000, 5);

        assertThat(model.decision().level()).isEqualTo(PressureLevel.L5_BALANCED);
        assertThat(model.decision().setting().lingerMs()).isBetween(45.0, 50.0);
        List<Seen> settled =
                batches.stream().filter(batch -> batch.atMs() > 1_000).toList();
        assertThat(worstLatencyMs(settled, 5)).isLessThan(100);
        assertThat(settled).allSatisfy(batch -> assertThat(batch.events()).isBetween(100, 400));
    }

    @ParameterizedTest
    @CsvSource({"true, 300, 10000", "true, 1000, 3000", "true, 30000, 2000", "false, 1000, 20000"})
    void beginsWithTheEventsThatFitTheirSizeWhereItMatters(boolean bySize, int eventBytes, int maxEvents) {
        ControlSettings settings =
                new ControlSettings(MAX_EVENTS, 16 << 20, 0, new LatencyBudgets(0, 75), Margin.DEFAULT, bySize, false);
        AdaptiveController starting =
                new AdaptiveController(settings, new LevelTargets(settings, Objective.EFFICIENCY));
        assertThat(starting.decide(0, 100_000).setting().maxEvents()).isEqualTo(bySize ? 2_000 : 20_000);

        starting.returned(2_000, 2_000L * eventBytes);
        Decision informed = starting.decide(1, 100_000);

        assertThat(informed.setting().maxEvents()).isEqualTo(maxEvents);
        assertThat(informed.stripeLimitEvents()).isEqualTo(2 * maxEvents);
    }

    /** An operator lowers the ratio where the p99 breaks the budget. The linger has to become shorter by that. */
    @Test
    void shortensTheLingerWithALowerMarginRatioOnASlowBroker() {
        LatencyBudgets budgets = new LatencyBudgets(0, 75);
        double standardMs = lingerMsOnASlowBroker(settings(budgets));
        double halfMs = lingerMsOnASlowBroker(
                new ControlSettings(MAX_EVENTS, 16 << 20, 0, budgets, Margin.ofRatio(0.5), false, false));

        assertThat(standardMs).isGreaterThan(30);
        assertThat(halfMs).isLessThan(10);
    }

    private static double lingerMsOnASlowBroker(ControlSettings settings) {
        ReplayedBroker model = new ReplayedBroker(
                new AdaptiveController(settings, new LevelTargets(settings, Objective.EFFICIENCY)), true);
        List<Seen> ignored = model.run(20_000, 5_000, 30);
        return model.decision().setting().lingerMs();
    }

    @Test
    void reachesTheNewLevelsDecisionWithinASecondOfAStepUpUnderExactlyOnce() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        model.run(10_000, 10, 5);
        List<Seen> step = model.run(1_000, 10_000, 5);
        assertNewLevelInForce(model);
        assertThat(model.decision().setting().maxEvents()).isEqualTo(20_000);

        assertThat(worstLatencyMs(step, 5)).isLessThan(100);
        assertThat(worstLatencyMs(model.run(5_000, 10_000, 5), 5)).isLessThan(100);
    }

    @Test
    void reachesTheNewLevelsDecisionWithinASecondOfAStepUpInAtLeastOnceMode() {
        ReplayedBroker model = new ReplayedBroker(controller, false);
        model.run(10_000, 10, 5);
        model.run(1_000, 10_000, 5);
        assertNewLevelInForce(model);
        assertThat(model.decision().setting().maxEvents()).isEqualTo(AdaptiveController.MAX_EVENTS_NON_TRANSACTIONAL);
        assertThat(model.decision().aimedEvents()).isEqualTo(AdaptiveController.MAX_EVENTS_NON_TRANSACTIONAL);
    }

    private static void assertNewLevelInForce(ReplayedBroker model) {
        Decision decision = model.decision();
        assertThat(decision.level()).isEqualTo(PressureLevel.L5_BALANCED);
        assertThat(decision.setting().lingerMs()).isBetween(40.0, 50.0);
    }

    @Test
    void returnsToTheLowLevelsDecisionWithinThreeSecondsOfAStepDown() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        model.run(5_000, 5_000, 5);
        model.run(3_000, 50, 5);

        assertThat(model.decision().level()).isEqualTo(PressureLevel.L2_FAST);
        assertThat(model.decision().budgetMs()).isEqualTo(5);
        // An eighth of an event is expected within half of the budget.
        assertThat(model.decision().setting().lingerMs()).isZero();
    }

    @Test
    void reducesLingerAndReportsAnUnattainableBudgetWhenTheBrokerSlowsDown() {
        ReplayedBroker model = new ReplayedBroker(controller, false);
        model.run(5_000, 5_000, 5);
        model.run(1_000, 5_000, 250);

        assertThat(model.decision().attainable()).isFalse();
        assertThat(model.decision().setting().lingerNanos()).isZero();
    }

    @Test
    void pacesTransactionsByHalfACommitWhenTheBudgetIsUnattainable() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        model.run(5_000, 5_000, 5);
        // The median rises when the fast delays are ten seconds old. Until then slow commits pace by themselves.
        model.run(12_000, 5_000, 250);

        assertThat(model.decision().attainable()).isFalse();
        assertThat(model.decision().pacingNanos()).isBetween(120 * MS, 130 * MS);
        // The part of the budget that the margin leaves, and no less.
        assertThat(model.decision().setting().lingerMs()).isBetween(19.9, 20.1);
    }

    @Test
    void restoresLingerWithinFifteenSecondsOfTheBrokersRecovery() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        model.run(5_000, 5_000, 5);
        model.run(20_000, 5_000, 250);
        model.run(15_000, 5_000, 5);

        assertThat(model.decision().attainable()).isTrue();
        assertThat(model.decision().pacingNanos()).isBetween(2 * MS, 3 * MS);
        assertThat(model.decision().setting().lingerMs()).isBetween(40.0, 50.0);
        assertThat(worstLatencyMs(model.run(10_000, 5_000, 5), 5)).isLessThan(100);
    }

    @Test
    void subtractsTheDelayOfAModeratelySlowBrokerFromTheBudget() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        model.run(20_000, 5_000, 60);
        assertThat(model.decision().attainable()).isTrue();
        assertThat(model.decision().pacingNanos()).isBetween(29 * MS, 31 * MS);
        // 90 ms - 60 ms would leave 30 ms. But events that arrive during a commit wait for its end too. So rule 6 keeps
        // T near its floor of 20 ms.
        assertThat(model.decision().setting().lingerMs()).isBetween(20.0, 25.0);
    }

    @Test
    void doesNotOscillateAtASteadyRateWithAJitteryBroker() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        Random random = new Random(7);
        model.run(5_000, 5_000, 8);
        for (int i = 0; i < 200; i++) {
            model.run(100, 5_000, 4 + 10 * random.nextDouble());
            assertThat(model.decision().level()).isEqualTo(PressureLevel.L5_BALANCED);
            assertThat(model.decision().setting().lingerMs()).isBetween(45.0, 50.0);
        }
    }

    @Test
    void neverPacesInAtLeastOnceMode() {
        ReplayedBroker model = new ReplayedBroker(controller, false);
        List<Seen> batches = model.run(5_000, 5_000, 30);
        assertThat(batches)
                .isNotEmpty()
                .allSatisfy(batch -> assertThat(batch.decision().pacingNanos()).isZero());
    }

    @Test
    void pacesEveryTransactionByTheMinimum() {
        ReplayedBroker model = new ReplayedBroker(controller, true);
        model.run(5_000, 5, 0.5);
        assertThat(model.decision().level()).isEqualTo(PressureLevel.L1_REALTIME);
        assertThat(model.decision().pacingNanos()).isEqualTo(MarkerTime.MIN_NANOS);
        assertThat(model.decision().setting().lingerMs()).isZero();
    }

    @Test
    void capsEveryBudgetByTheLatencyTarget() {
        ControlSettings settings = settings(new LatencyBudgets(0, 20));
        AdaptiveController capped = new AdaptiveController(settings, new LevelTargets(settings, Objective.EFFICIENCY));
        ReplayedBroker model = new ReplayedBroker(capped, false);
        List<Seen> batches = model.run(5_000, 100_000, 5);
        assertThat(model.decision().level()).isEqualTo(PressureLevel.L7_HIGH);
        assertThat(model.decision().budgetMs()).isEqualTo(20);
        assertThat(model.decision().setting().lingerMs()).isBetween(8.0, 10.0);
        assertThat(worstLatencyMs(batches, 5)).isLessThan(20);
    }

    @Test
    void waitsForTheTargetAtALowRate() {
        ControlSettings settings = settings(LatencyBudgets.of(OptionalInt.of(100), Objective.EFFICIENCY));
        LevelTargets within = new LevelTargets(settings, Objective.EFFICIENCY);
        for (PressureLevel level : PressureLevel.values()) {
            within.put(level, BatchTarget.best(5_000, 90 * MS));
        }
        ReplayedBroker model = new ReplayedBroker(new AdaptiveController(settings, within), true);
        for (int rate : new int[] {20, 50, 200}) {
            model.run(5_000, rate, 5);
            List<Seen> batches = model.run(10_000, rate, 5);
            assertThat(model.decision().budgetMs()).isEqualTo(100);
            // All but a reserve of 10 ms and the acknowledgement.
            assertThat(model.decision().setting().lingerMs()).isEqualTo(85);
            assertThat(worstLatencyMs(batches, 5)).isLessThan(100);
            assertThat(batches).as("transactions in 10 s at %d/s", rate).hasSizeLessThanOrEqualTo(115);
        }
    }

    @Test
    void isQuietAfterFourMissingEventsAndAQuarterOfTheLinger() {
        for (PressureLevel level : PressureLevel.values()) {
            targets.put(level, BatchTarget.best(5_000, 80 * MS));
        }
        assertThat(quietMs(10_000)).as("a quarter of T").isEqualTo(20);
        assertThat(quietMs(3_000)).as("a quarter of T").isEqualTo(20);
        ControlSettings settings = settings(LatencyBudgets.of(OptionalInt.of(100), Objective.EFFICIENCY));
        assertThat(quietMs(settings, 100)).as("four times the usual distance").isEqualTo(40);
        assertThat(quietMs(settings, 20)).as("not longer than T").isEqualTo(80);
    }

    private double quietMs(double perSec) {
        return quietMs(SETTINGS, perSec);
    }

    private double quietMs(ControlSettings settings, double perSec) {
        return new AdaptiveController(settings, targets).decide(MS, perSec).quietNanos() / 1e6;
    }

    @Test
    void doesNotWaitWhenNoFurtherEventIsExpected() {
        targets.put(PressureLevel.L2_FAST, BatchTarget.best(5_000, 4 * MS));
        controller.acknowledged(MS, MS, 0, 2 * MS, true);
        // A fifth of an event, and two fifths, are expected within 4 ms.
        assertThat(controller.decide(2 * MS, 50).setting().lingerNanos()).isZero();
        assertThat(controller.decide(3 * MS, 99).setting().lingerNanos()).isZero();
        targets.put(PressureLevel.L2_FAST, BatchTarget.best(5_000, 6 * MS));
        // More than half of an event is expected within 6 ms. T is 80 % of the budget minus the acknowledgement.
        assertThat(controller.decide(4 * MS, 99).setting().lingerNanos()).isEqualTo(3 * MS);
        targets.put(PressureLevel.L3_LOW, BatchTarget.best(5_000, 5 * MS));
        assertThat(controller.decide(5 * MS, 300).setting().lingerNanos()).isEqualTo(5 * MS);
    }

    /** An event raises the smoothed rate itself, by two a second where that is smoothed over half a second. */
    @ParameterizedTest
    @CsvSource({"500, 250", "500, 480", "2000, 1900"})
    void doesNotWaitForAnotherEventAfterASilence(int targetMs, int lingerMs) {
        ReplayedBroker model = new ReplayedBroker(withLinger(targetMs, lingerMs), true);
        List<Seen> batches = model.run(190_000, 1 / 60.0, 5);
        assertThat(batches).hasSize(3).allSatisfy(batch -> {
            assertThat(batch.events()).isOne();
            assertThat(batch.oldestWaitedMs()).isLessThan(1);
        });
    }

    @ParameterizedTest
    @CsvSource({"500, 480, 2.5", "500, 480, 20", "2000, 1900, 1", "200, 120, 10"})
    void waitsForAnotherEventWhereTheLastOnesCameWithinTheLinger(int targetMs, int lingerMs, double perSec) {
        ReplayedBroker model = new ReplayedBroker(withLinger(targetMs, lingerMs), true);
        model.run(20_000, perSec, 5);
        assertThat(model.run(20_000, perSec, 5))
                .isNotEmpty()
                .allSatisfy(batch -> assertThat(batch.events()).isGreaterThan(1));
    }

    private static AdaptiveController withLinger(int targetMs, int lingerMs) {
        ControlSettings settings = settings(LatencyBudgets.of(OptionalInt.of(targetMs), Objective.EFFICIENCY));
        LevelTargets within = new LevelTargets(settings, Objective.EFFICIENCY);
        for (PressureLevel level : PressureLevel.values()) {
            within.put(level, BatchTarget.best(5_000, lingerMs * MS));
        }
        return new AdaptiveController(settings, within);
    }

    @Test
    void limitsStripesToTwoBatchesButNotBelowAThousandEvents() {
        targets.put(PressureLevel.L5_BALANCED, BatchTarget.best(777, 12 * MS));
        assertThat(controller.decide(MS, 5_000).stripeLimitEvents()).isEqualTo(1_554);
        targets.put(PressureLevel.L5_BALANCED, BatchTarget.best(400, 12 * MS));
        assertThat(controller.decide(2 * MS, 5_000).stripeLimitEvents()).isEqualTo(1_000);
    }

    @Test
    void appliesANewTargetFromTheNextDecision() {
        Decision before = controller.decide(MS, 5_000);
        targets.put(PressureLevel.L5_BALANCED, BatchTarget.best(777, 12 * MS));
        Decision after = controller.decide(2 * MS, 5_000);
        assertThat(before.setting().maxEvents()).isEqualTo(20_000);
        assertThat(after.setting().maxEvents()).isEqualTo(777);
        assertThat(after.setting().lingerNanos()).isEqualTo(12 * MS);
    }

    @Test
    void returnsTheSameInstanceWhileNothingChanges() {
        Decision first = controller.decide(MS, 5_000);
        assertThat(controller.decide(2 * MS, 5_001)).isSameAs(first);
        controller.acknowledged(3 * MS, MS, 0, 2 * MS, true);
        assertThat(controller.decide(4 * MS, 5_001)).isNotSameAs(first);
    }

    @Test
    void usesTheMedianDelayOfTransactionsAndTheTailWithoutTransactions() {
        for (int i = 0; i < 100; i++) {
            controller.decide(i * MS, 300);
            controller.acknowledged(i * MS, i % 10 == 0 ? 8 * MS : MS, 0, 2 * MS, true);
        }
        // 0.8 × 10 ms - 8 ms (tail) is zero. 0.8 × 10 ms - 1 ms (median) is 7 ms.
        targets.put(PressureLevel.L3_LOW, BatchTarget.best(5_000, 6 * MS));
        assertThat(controller.decide(100 * MS, 300).setting().lingerMs()).isEqualTo(6.0);
        targets.put(PressureLevel.L3_LOW, BatchTarget.best(5_000, 8 * MS));
        assertThat(controller.decide(102 * MS, 300).setting().lingerMs()).isEqualTo(7.0);

        controller.acknowledged(103 * MS, MS, 0, 2 * MS, false);
        assertThat(controller.decide(104 * MS, 300).setting().lingerMs())
                .as("without transactions T does not cause the tail")
                .isZero();
    }

    @Test
    void keepsEveryFigureInRangeForAnyInput() {
        Random random = new Random(11);
        long nowNanos = 0;
        for (int i = 0; i < 20_000; i++) {
            nowNanos += random.nextInt(50_000_000);
            Decision decision = controller.decide(nowNanos, Math.pow(10, 8 * random.nextDouble()) - 1);
            assertThat(decision.setting().maxEvents()).isBetween(1, MAX_EVENTS);
            assertThat(decision.maxBytes()).isEqualTo(16 << 20);
            assertThat(decision.pacingNanos()).isBetween(0L, Math.max(250 * MS, decision.budgetMs() * MS / 2));
            assertThat(decision.setting().lingerNanos()).isBetween(0L, decision.budgetMs() * MS / 2);
            long delayNanos = (long) Math.pow(10, 10 * random.nextDouble());
            controller.acknowledged(nowNanos, delayNanos, 0, delayNanos * 2, random.nextBoolean());
        }
    }
}
