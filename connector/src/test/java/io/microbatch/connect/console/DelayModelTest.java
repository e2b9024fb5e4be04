package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayModelTest {

    /** A commit of the runs in benchmarks/results/frontier-earlier.md, which had one broker on the same machine. */
    private static final double COMMIT_MS = 4;

    private static void assertPredicted(double predicted, double measured) {
        assertThat(Math.max(predicted / measured, measured / predicted))
                .as("predicted %s, measured %s", predicted, measured)
                .isLessThanOrEqualTo(DelayModel.ERROR_FACTOR);
    }

    /** The measured p99 and transactions of Connect's intervals, by frontier-earlier.md. */
    @ParameterizedTest
    @CsvSource({
        "20, 20, 12.1, 20.0",
        "20, 50, 55.2, 18.9",
        "20, 100, 105.6, 9.7",
        "200, 20, 26.4, 49.3",
        "200, 50, 51.8, 19.9",
        "200, 100, 99.0, 10.0",
        "1000, 20, 31.9, 49.9",
        "1000, 50, 52.0, 20.0",
        "1000, 100, 101.5, 10.0",
        "50000, 20, 27.7, 50.0",
        "50000, 50, 53.6, 20.0",
        "50000, 100, 103.8, 10.0",
    })
    void predictsTheMeasuredIntervals(double rate, double intervalMs, double p99Ms, double transactions) {
        Estimate estimate = DelayModel.interval(new PollTiming(rate, 0, 0, Map.of()), intervalMs, COMMIT_MS);
        assertPredicted(estimate.p99Ms(), p99Ms);
        assertPredicted(estimate.transactionsPerSec(), transactions);
    }

    /** The measured p99 and transactions of this connector's targets of 30 ms and more, by frontier-earlier.md. */
    @ParameterizedTest
    @CsvSource({
        "20, 30, 9.1, 20.0",
        "20, 100, 92.8, 10.0",
        "200, 30, 26.8, 40.0",
        "200, 100, 91.5, 11.1",
        "1000, 30, 25.8, 45.0",
        "1000, 100, 90.9, 11.4",
        "50000, 30, 26.7, 61.3",
        "50000, 100, 93.5, 15.1",
    })
    void predictsTheMeasuredTargets(double rate, double targetMs, double p99Ms, double transactions) {
        Estimate estimate = DelayModel.target(rate, targetMs, COMMIT_MS);
        assertPredicted(estimate.p99Ms(), p99Ms);
        assertPredicted(estimate.transactionsPerSec(), transactions);
    }

    @Test
    void knowsNoDelayOfAnIntervalThatEachCommitOutlasts() {
        Estimate estimate = DelayModel.interval(new PollTiming(1_000, 0, 0, Map.of()), 20, 25);
        assertThat(estimate.p99Ms()).isNaN();
        assertThat(estimate.transactionsPerSec()).isEqualTo(40);
    }

    @Test
    void choosesTheLongestIntervalThatKeepsTheGoal() {
        assertThat(DelayModel.intervalFor(100, 0, 4)).isEqualTo(90);
        assertThat(DelayModel.intervalFor(100, 25, 4)).isEqualTo(70);
        assertThat(DelayModel.intervalFor(100, 0, 25))
                .as("three commits of 25 ms do not fit")
                .isNaN();
        assertThat(DelayModel.intervalFor(26, 0, 4)).as("20 ms is the shortest").isEqualTo(20);
        assertThat(DelayModel.intervalFor(23, 0, 4)).isNaN();
    }

    @Test
    void countsTheProcessorTimeOfTransactions() {
        assertThat(new Estimate(0, 0, 200).transactionCores()).isCloseTo(0.5, within(1e-9));
    }
}
