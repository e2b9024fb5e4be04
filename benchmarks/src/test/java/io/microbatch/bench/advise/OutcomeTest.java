package io.microbatch.bench.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    private static Outcome outcome(double p99Ms, double cores) {
        return new Outcome(true, p99Ms / 2, p99Ms, 10, cores);
    }

    private static final Outcome NOT_CARRIED = new Outcome(false, Double.NaN, Double.NaN, 10, 1);

    @Test
    void comparesTheProcessorTimeWhereBothKeepTheGoal() {
        assertThat(outcome(109, 0.4).timesAsBadAs(outcome(20, 0.2), 100))
                .as("a lower p99 than the goal has no worth, and a twentieth of a core none either")
                .isCloseTo(0.35 / 0.2, within(1e-9));
        assertThat(outcome(20, 0.24).timesAsBadAs(outcome(90, 0.2), 100)).isEqualTo(1);
        assertThat(outcome(20, 0.1).timesAsBadAs(outcome(90, 0.2), 100)).isEqualTo(1);
    }

    @Test
    void comparesWithTheGoalWhereOnlyTheOtherKeepsIt() {
        assertThat(outcome(300, 0.1).timesAsBadAs(outcome(90, 0.2), 100)).isEqualTo(3);
        assertThat(outcome(90, 0.9).timesAsBadAs(outcome(300, 0.2), 100)).isEqualTo(1);
    }

    @Test
    void comparesTheDelayWhereNoneKeepsTheGoal() {
        assertThat(outcome(300, 0.1).timesAsBadAs(outcome(200, 0.9), 100)).isEqualTo(1.5);
        assertThat(outcome(200, 0.1).timesAsBadAs(outcome(300, 0.9), 100)).isEqualTo(1);
    }

    @Test
    void isInfinitelyWorseWhereOnlyTheOtherCarriesTheStream() {
        assertThat(NOT_CARRIED.timesAsBadAs(outcome(300, 0.1), 100)).isInfinite();
        assertThat(outcome(300, 0.1).timesAsBadAs(NOT_CARRIED, 100)).isEqualTo(1);
        assertThat(NOT_CARRIED.timesAsBadAs(NOT_CARRIED, 100)).isEqualTo(1);
        assertThat(NOT_CARRIED.keeps(100)).isFalse();
        assertThat(NOT_CARRIED.toJson()).containsEntry("p99_ms", null).containsEntry("tps", 10.0);
    }

    /** Of 1,000 events this many came after 10 ms. The others were due 800 ms before the bench read no more. */
    private static Outcome seen(int events) {
        Histogram micros = new Histogram(3);
        micros.recordValueWithCount(10_000, events);
        return Outcome.of(micros, 1_000, 800, 10, 0.2);
    }

    @Test
    void eventsThatDidNotComeAreOlderThanTheEndOfTheMeasuredPart() {
        assertThat(seen(960).carried()).isTrue();
        assertThat(seen(960).p50Ms()).isCloseTo(10, within(0.1));
        assertThat(seen(960).p99Ms()).isGreaterThanOrEqualTo(800);
        assertThat(seen(960).keeps(100)).isFalse();
        assertThat(seen(995).p99Ms()).as("five of a thousand").isCloseTo(10, within(0.1));
        assertThat(seen(1_001).p99Ms()).as("one came twice").isCloseTo(10, within(0.1));
        assertThat(seen(940).carried()).isFalse();
        assertThat(seen(940).p99Ms()).isNaN();
    }

    @Test
    void eventsThatDidNotComeAreSlowerThanAllThatCame() {
        Histogram micros = new Histogram(3);
        micros.recordValueWithCount(10_000, 970);
        micros.recordValueWithCount(2_000_000, 5);
        assertThat(Outcome.of(micros, 1_000, 800, 10, 0.2).p99Ms()).isGreaterThanOrEqualTo(2_000);
    }

    @Test
    void takesTheMedianOfRoundsThatWereCarried() {
        Outcome median = Outcome.median(List.of(outcome(50, 0.3), NOT_CARRIED, outcome(70, 0.1)));
        assertThat(median.carried()).isTrue();
        assertThat(median.p99Ms()).isEqualTo(60);
        assertThat(Outcome.median(List.of(outcome(50, 0.3), NOT_CARRIED)).carried())
                .isFalse();
    }
}
