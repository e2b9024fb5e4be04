package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.AckLatency;
import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowObserverTest {

    private static final long MS = 1_000_000;

    private final WindowObserver observer = new WindowObserver(10_000, 0, () -> 5);
    private final Histogram acknowledged = AckLatency.total();
    private long nowMs;
    private long offsetDelayNanos;
    private boolean triesOffsetDelay;

    private static Decision decision(BatchTarget target) {
        return decision(target, target.setting());
    }

    private static Decision decision(BatchTarget target, BatchSetting applied) {
        return new Decision(
                target,
                PressureLevel.L4_MODERATE,
                50,
                true,
                applied,
                target.setting().maxEvents(),
                1_000,
                Decision.NEVER_QUIET_NANOS,
                0,
                Decision.WHOLE_STRIPE);
    }

    private static final Decision BEST = decision(BatchTarget.best(100, 20 * MS));
    private static final Decision TRIAL =
            decision(new BatchTarget(new BatchSetting(100, 40 * MS), true, false, false, false));
    private static final Decision EXPLORING =
            decision(new BatchTarget(new BatchSetting(100, 20 * MS), false, false, true, false));

    /**
     * Advances time as the poll loop does, with a batch of fifty events every 50 ms that makes the task busy for 5 ms.
     */
    private void run(long millis, Decision inForce, int latencyMicros) {
        run(millis, inForce, latencyMicros, 50);
    }

    private void run(long millis, Decision inForce, int latencyMicros, long everyMs) {
        for (long untilMs = nowMs + millis; nowMs < untilMs; nowMs += everyMs) {
            acknowledged.recordValue(latencyMicros);
            if (observer.isDue(nowMs * MS, inForce)) {
                observer.tick(nowMs * MS, inForce, acknowledged);
                acknowledged.reset();
            }
            observer.returned(50, inForce, offsetDelayNanos, triesOffsetDelay);
            observer.busy(5 * MS);
            observer.committed();
        }
    }

    @Test
    void observesAWholeWindow() {
        run(10_100, BEST, 30_000);
        assertThat(observer.take()).singleElement().satisfies(window -> {
            assertThat(window.windowMs()).isEqualTo(10_000);
            assertThat(window.setting().lingerMs()).isEqualTo(20);
            assertThat(window.batches()).isEqualTo(200);
            assertThat(window.transactions()).isEqualTo(200);
            assertThat(window.events()).isEqualTo(10_000);
            assertThat(window.serviceRatePerSec()).isEqualTo(10_000);
            assertThat(window.ackP99Nanos()).isBetween(29_500_000L, 30_500_000L);
            assertThat(window.feasible()).isTrue();
            assertThat(window.explored()).isFalse();
        });
        assertThat(observer.serviceRatePerSec()).isEqualTo(10_000);
    }

    @Test
    void tellsTheServiceRateOfTheLastWindowThoughNobodyTakesAny() {
        run(1_002 * 10_000, BEST, 30_000);
        assertThat(observer.serviceRatePerSec()).isEqualTo(10_000);
        observer.busy(1_000 * MS);
        run(9_900, BEST, 30_000);
        assertThat(observer.serviceRatePerSec()).isLessThan(6_000);
    }

    /** It becomes smaller again with the next setting, which would begin with the smaller one. */
    @Test
    void showsTheNThatWasAimedAtWhereASlowBrokerMakesItSmaller() {
        run(10_100, decision(BatchTarget.best(100, 20 * MS), new BatchSetting(30, 15 * MS)), 30_000);
        assertThat(observer.take())
                .singleElement()
                .satisfies(window -> assertThat(window.setting()).isEqualTo(new BatchSetting(100, 15 * MS)));
    }

    /** It would compare the delays and not the settings. */
    @Test
    void discardsAWindowInWhichTheDelayOfTheOffsetsChanges() {
        run(5_000, BEST, 30_000);
        offsetDelayNanos = 14 * MS;
        run(5_100, BEST, 20_000);
        assertThat(observer.take()).isEmpty();

        run(10_000, BEST, 20_000);
        assertThat(observer.take())
                .singleElement()
                .satisfies(window -> assertThat(window.ackP99Nanos()).isLessThan(21 * MS));
    }

    /** At a low rate a trial may be as long as a window. */
    @Test
    void discardsAWindowInWhichADelayOfTheOffsetsIsTried() {
        triesOffsetDelay = true;
        run(20_200, BEST, 30_000);
        assertThat(observer.take()).isEmpty();
        assertThat(observer.serviceRatePerSec()).as("a metric").isEqualTo(50 / 0.005);
        triesOffsetDelay = false;
        run(20_000, BEST, 20_000);
        assertThat(observer.take())
                .isNotEmpty()
                .allSatisfy(window -> assertThat(window.ackP99Nanos()).isLessThan(21 * MS));
    }

    @Test
    void keepsOtherWindowsWhenOneIsOutOfRange() {
        Decision absurd = decision(BatchTarget.best(100, 90_000 * MS));
        run(10_100, absurd, 30_000);
        run(30_000, BEST, 30_000);
        assertThat(observer.take())
                .isNotEmpty()
                .allMatch(window -> window.setting().lingerMs() == 20);
    }

    @Test
    void separatesTargetsByWindowAndWaitsForTheOldOneToSettle() {
        run(4_000, TRIAL, 45_000);
        // Events that were in flight when the target changed are acknowledged after the change.
        run(200, BEST, 45_000);
        run(12_000, BEST, 30_000);
        assertThat(observer.take())
                .satisfiesExactly(
                        trial -> {
                            assertThat(trial.explored()).isTrue();
                            assertThat(trial.windowMs()).isBetween(3_950L, 4_050L);
                            assertThat(trial.setting().lingerMs()).isEqualTo(40);
                        },
                        best -> {
                            assertThat(best.explored()).isFalse();
                            assertThat(best.windowMs()).isBetween(10_000L, 11_000L);
                            assertThat(best.ackP99Nanos()).isLessThan(31 * MS);
                            assertThat(best.setting().lingerMs()).isEqualTo(20);
                        });
    }

    private List<Long> lengthsMs() {
        return observer.take().stream().map(Observation::windowMs).toList();
    }

    @Test
    void endsAWindowAfterTwoSecondsWhileTheLevelIsExplored() {
        run(6_100, EXPLORING, 30_000);
        assertThat(lengthsMs()).containsExactly(2_000L, 2_000L, 2_000L);
    }

    @ParameterizedTest
    @CsvSource({"100, 2000", "200, 4000", "250, 5000", "500, 10000", "1000, 10000"})
    void waitsForTwentyBatchesInAShortWindow(long everyMs, long lengthMs) {
        run(10_100, EXPLORING, 30_000, everyMs);
        assertThat(lengthsMs()).startsWith(lengthMs);
    }

    @Test
    void continuesAWindowInWhichTheFirstTrialsEnd() {
        run(1_500, EXPLORING, 30_000);
        run(8_600, BEST, 30_000);
        assertThat(lengthsMs()).containsExactly(10_000L);
    }

    @Test
    void endsAWindowSoonIfTheLevelIsExploredAgain() {
        run(5_500, BEST, 30_000);
        run(2_600, EXPLORING, 30_000);
        assertThat(lengthsMs()).containsExactly(6_000L, 2_000L);
    }

    @Test
    void dropsAWindowThatWasCutShort() {
        run(900, BEST, 30_000);
        run(500, TRIAL, 45_000);
        run(500, BEST, 30_000);
        assertThat(observer.take()).isEmpty();
    }

    @Test
    void isDueEverySecondAndImmediatelyWhenTheTargetChanges() {
        assertThat(observer.isDue(MS, BEST)).as("the first decision").isTrue();
        observer.tick(MS, BEST, AckLatency.total());
        assertThat(observer.isDue(2 * MS, BEST)).isFalse();
        assertThat(observer.isDue(2 * MS, TRIAL)).isTrue();
        assertThat(observer.isDue(1_001 * MS, BEST)).isTrue();
    }

    @Test
    void marksAWindowWithoutAcknowledgementsAsInfeasible() {
        observer.tick(0, BEST, AckLatency.total());
        observer.returned(50, BEST, 0, false);
        observer.busy(MS);
        observer.tick(10_000 * MS, BEST, AckLatency.total());
        assertThat(observer.take())
                .singleElement()
                .satisfies(window -> assertThat(window.feasible()).isFalse());
    }
}
