package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.control.RetryBackoffDetector.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delays as brokers of several kinds make them, 10,000 each, with fixed seeds. */
class RetryBackoffDetectorTest {

    private static final int TRANSACTIONS = 10_000;
    private static final int SEEDS = 20;

    private final RetryBackoffDetector detector = new RetryBackoffDetector();
    private SplittableRandom random = new SplittableRandom(1);

    /** A usual commit on a good broker: 2 to 4 ms, and now and then up to 3 ms more. */
    private double usualMs() {
        return 2 + 2 * random.nextDouble() + (random.nextInt(20) == 0 ? 3 * random.nextDouble() : 0);
    }

    private double logNormalMs(double medianMs, double spread) {
        double u = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
        return medianMs * Math.exp(spread * u * Math.cos(2 * Math.PI * random.nextDouble()));
    }

    /** What the detector says of delays in milliseconds, given the part of the transactions that have passed. */
    private static List<Finding> findings(RetryBackoffDetector detector, DoubleUnaryOperator delayMs) {
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            double ms = delayMs.applyAsDouble(i / (double) TRANSACTIONS);
            detector.committed((long) (ms * 1e6), 20, 2_000).ifPresent(findings::add);
        }
        return findings;
    }

    private static void assertSilent(Function<RetryBackoffDetectorTest, DoubleUnaryOperator> broker) {
        for (int seed = 0; seed < SEEDS; seed++) {
            RetryBackoffDetectorTest test = new RetryBackoffDetectorTest();
            test.random = new SplittableRandom(seed);
            assertThat(findings(test.detector, broker.apply(test)))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.3, 0.5, 0.8})
    void speaksOnceOfTheDefault(double waiting) {
        List<Finding> findings = findings(
                detector, done -> usualMs() + (random.nextDouble() < waiting ? 20.5 + 2 * random.nextDouble() : 0));
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).waitedPercent()).isBetween((int) (100 * waiting) - 10, (int) (100 * waiting) + 10);
        assertThat(findings.get(0).usualMs()).isBetween(2.0, 4.0);
        assertThat(findings.get(0).extraMs()).isBetween(20.0, 25.0);
    }

    @Test
    void speaksOfTransactionsThatWaitForTwoBrokers() {
        assertThat(findings(detector, done -> usualMs() + 21 * (random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0)))
                .hasSize(1);
    }

    @Test
    void namesTheSettingTheRemedyAndThePage() {
        assertThat(new Finding(34, 3.24, 21.3).text())
                .contains(
                        "34 % of the last 200 small transactions",
                        "21 ms longer than the usual 3.2 ms",
                        "add.partitions.to.txn.retry.backoff.ms=20",
                        "1 in the properties of every broker",
                        "producer.override.retry.backoff.ms",
                        "docs/tuning.md");
    }

    @Test
    void needsTwoWindowsInARow() {
        // Every second window of 200 transactions is free of waits.
        assertThat(findings(
                        detector,
                        done -> usualMs() + (done * TRANSACTIONS % 400 < 200 && random.nextBoolean() ? 21 : 0)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 0.3", "1, 0.9", "5, 0.5", "10, 0.3"})
    void isSilentWithAShorterSetting(int settingMs, double waiting) {
        assertSilent(test -> done ->
                test.usualMs() + (test.random.nextDouble() < waiting ? settingMs * (1 + test.random.nextInt(3)) : 0));
    }

    @Test
    void isSilentWithAGoodBroker() {
        assertSilent(test -> done -> test.usualMs());
    }

    @Test
    void isSilentIfFewTransactionsWait() {
        assertSilent(test -> done -> test.usualMs() + (test.random.nextInt(100) == 0 ? 21 : 0));
    }

    @ParameterizedTest
    @CsvSource({"3, 0.3", "3, 0.8", "6, 1", "10, 0.5", "10, 1", "20, 0.4", "30, 1"})
    void isSilentWithASlowOrNoisyBroker(double medianMs, double spread) {
        assertSilent(test -> done -> test.logNormalMs(medianMs, spread));
    }

    @Test
    void isSilentWithASlowBrokerThatWaitsToo() {
        assertSilent(test -> done -> 25 + test.usualMs() + (test.random.nextInt(3) == 0 ? 21 : 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 80, 400})
    void isSilentWithABrokerThatStalls(int longestMs) {
        // A disk or a garbage collector stops everything for up to this long, one time in ten.
        assertSilent(test ->
                done -> test.usualMs() + (test.random.nextInt(10) == 0 ? longestMs * test.random.nextDouble() : 0));
    }

    @Test
    void isSilentWhileABrokerBecomesSlow() {
        assertSilent(test -> done -> test.usualMs() + 40 * done);
    }

    @Test
    void ignoresLargeTransactions() {
        SplittableRandom sizes = new SplittableRandom(5);
        for (int i = 0; i < TRANSACTIONS; i++) {
            boolean large = sizes.nextInt(3) == 0;
            long delayNanos = (long) ((usualMs() + (large ? 22 : 0)) * 1e6);
            assertThat(detector.committed(delayNanos, large && i % 2 == 0 ? 2_000 : 20, large ? 1 << 20 : 2_000))
                    .isEmpty();
        }
    }
}
