package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The learned delay in front of modelled commits. A model gets the delay in force in milliseconds. */
class OffsetDelayTest {

    private static final long MS = 1_000_000;
    private static final int SEEDS = 20;

    private Random random = new Random(11);
    private OffsetDelay delay = OffsetDelay.learned();

    private void begin(int seed) {
        random = new Random(seed);
        delay = OffsetDelay.learned();
    }

    /** Returns for how many of these transactions there was a delay. */
    private int commit(int transactions, LongToDoubleFunction commitMs) {
        int delayed = 0;
        for (int i = 0; i < transactions; i++) {
            long inForceMs = delay.nanos() / MS;
            delayed += inForceMs > 0 ? 1 : 0;
            delay.committed((long) (commitMs.applyAsDouble(inForceMs) * MS));
        }
        return delayed;
    }

    /** As many other batches follow each of these, without a delay. */
    private int commit(int transactions, LongToDoubleFunction commitMs, int others) {
        int delayed = 0;
        for (int i = 0; i < transactions; i++) {
            delayed += commit(1, commitMs);
            for (int other = 0; other < others; other++) {
                delay.passed();
            }
        }
        return delayed;
    }

    private long keptMs() {
        return delay.keptNanos() / MS;
    }

    /** A log-normal time with this mean and coefficient of variation. */
    private double about(double meanMs, double variation) {
        double sigma = Math.sqrt(Math.log(1 + variation * variation));
        return meanMs * Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
    }

    private double stall(double probability) {
        return random.nextDouble() < probability ? 200 : 0;
    }

    /** Offsets that come sooner than 12 ms after the records wait for 20 ms. */
    private double apart(long delayMs) {
        return (delayMs >= 12 ? delayMs : 20) + about(10, 0.2);
    }

    /** A delay only makes a commit longer. */
    private double together(long delayMs) {
        return delayMs + about(6, 0.3);
    }

    @Test
    void keepsTheDelayThatSavesTheWait() {
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            int ignored = commit(1_500, this::apart);
            assertThat(keptMs()).isEqualTo(14);
            assertThat(commit(10_000, this::apart)).isGreaterThan(9_800);
            assertThat(keptMs()).isEqualTo(14);
        }
    }

    @Test
    void triesNothingWhileCommitsAreFast() {
        assertThat(commit(10_000, this::together)).isZero();
    }

    /** Commits become faster while the JVM compiles, whatever is tried then. */
    @ParameterizedTest
    @CsvSource({"40, 20, 5", "80, 30, 5", "30, 100, 22"})
    void isNotMisledByAStart(double firstMs, double transactions, double thenMs) {
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            for (int i = 0; i < 2_000; i++) {
                double warmingMs = firstMs * Math.exp(-i / transactions) + thenMs;
                int ignored = commit(1, delayMs -> delayMs + warmingMs + 2 * random.nextDouble());
                assertThat(keptMs()).isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"30, 0.3", "60, 0.4", "90, 0.5", "150, 0.5"})
    void isNotMisledByASlowBroker(double meanMs, double variation) {
        int delayed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            delayed += commit(20_000, delayMs -> delayMs + about(meanMs, variation));
        }
        assertThat(delayed).as("of 400,000 transactions").isLessThan(40_000);
    }

    @Test
    void isNotMisledByStalls() {
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            assertThat(commit(20_000, delayMs -> together(delayMs) + stall(0.05)))
                    .isLessThan(1_000);
            assertThat(keptMs()).isZero();
        }
    }

    /** Few waits matter more to a p99 than the median does. */
    @Test
    void seesWaitsOfFewerThanHalfOfTheTransactions() {
        LongToDoubleFunction sometimes = delayMs -> {
            double waiting = delayMs < 7 ? 1 : delayMs < 10 ? 0.4 : 0;
            return delayMs + about(8, 0.3) + (random.nextDouble() < waiting ? 24 : 0);
        };
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            int ignored = commit(4_000, sometimes);
            assertThat(keptMs()).isBetween(10L, 14L);
        }
    }

    @Test
    void beginsWhenALeaderHasMoved() {
        int ignored = commit(8_000, this::together);
        assertThat(keptMs()).isZero();
        ignored = commit(1_000, this::apart);
        assertThat(keptMs()).isEqualTo(14);
    }

    /** Trials had become rare because nothing helped. */
    @Test
    void triesAgainSoonWhenCommitsHaveChanged() {
        int ignored = commit(10_000, delayMs -> delayMs + about(25, 0.1));
        assertThat(keptMs()).isZero();
        LongToDoubleFunction changed = delayMs -> (delayMs >= 12 ? delayMs : 40) + about(10, 0.2);
        ignored = commit(500, changed);
        assertThat(keptMs()).as("one that is long enough").isGreaterThanOrEqualTo(14);
        ignored = commit(10_000, changed);
        assertThat(keptMs()).as("the shortest of these").isEqualTo(14);
    }

    /** What is not needed any more is not kept for being no worse. */
    @ParameterizedTest
    @ValueSource(ints = {1_500, 20_000})
    void endsADelayThatIsNoLongerNeeded(int delayedFor) {
        int ignored = commit(delayedFor, this::apart);
        assertThat(keptMs()).isEqualTo(14);
        ignored = commit(6_000, this::together);
        assertThat(keptMs()).isZero();
    }

    /** On a broker that is too slow for other trials, too. */
    @Test
    void endsADelayOnABrokerThatHasBecomeSlow() {
        int ignored = commit(1_500, this::apart);
        assertThat(keptMs()).isEqualTo(14);
        ignored = commit(20_000, delayMs -> delayMs + about(150, 0.1));
        assertThat(keptMs()).isZero();
    }

    /** A trial that is much slower ends early. */
    @Test
    void triesForFourteenTransactionsAtMost() {
        int ignored = commit(34, delayMs -> 25);
        assertThat(delay.nanos()).isEqualTo(7 * MS);
        assertThat(delay.isTrying()).isTrue();
        ignored = commit(8, delayMs -> 100);
        assertThat(delay.nanos()).isZero();
        ignored = commit(28, delayMs -> 25);
        assertThat(delay.nanos()).isEqualTo(10 * MS);
        ignored = commit(13, delayMs -> 26);
        assertThat(delay.nanos()).isEqualTo(10 * MS);
        ignored = commit(1, delayMs -> 26);
        assertThat(delay.nanos()).isZero();
        assertThat(delay.isTrying()).isFalse();
        assertThat(keptMs()).isZero();
    }

    /** A task that becomes saturated has only full batches. */
    @Test
    void aTrialEndsIfBatchesHaveNoDelayAnyMore() {
        int ignored = commit(34, delayMs -> 25);
        assertThat(delay.isTrying()).isTrue();
        for (int i = 0; i < 83; i++) {
            delay.passed();
        }
        assertThat(delay.isTrying()).isTrue();
        delay.passed();
        assertThat(delay.isTrying()).isFalse();
        assertThat(delay.nanos()).isZero();
    }

    /** A service rate of before is not compared with one without the delay that it had. */
    @Test
    void isUndecidedUntilTheFirstTrialIsJudged() {
        int ignored = commit(34 + 27, this::apart);
        assertThat(delay.isDecided()).isFalse();
        ignored = commit(1, this::apart);
        assertThat(delay.isDecided()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {5, 150})
    void isDecidedAsSoonAsNoDelayMayHelp(double commitMs) {
        int ignored = commit(33, delayMs -> commitMs);
        assertThat(delay.isDecided()).isFalse();
        ignored = commit(1, delayMs -> commitMs);
        assertThat(delay.isDecided()).isTrue();
        assertThat(OffsetDelay.fixed(0).isDecided()).isTrue();
    }

    /** Of a burst two batches are full and one is not. */
    @Test
    void findsADelayWhereMostBatchesHaveNone() {
        for (int seed = 0; seed < SEEDS; seed++) {
            begin(seed);
            int delayed = commit(2_000, this::apart, 2);
            assertThat(keptMs()).isEqualTo(14);
            assertThat(delayed).isGreaterThan(1_500);
        }
    }

    /** Where nearly all batches are full, trials would go on without an end, and the task would learn nothing. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 10})
    void trialsBecomeRareWhereBatchesOfTwoKindsAlternate(int others) {
        assertThat(commit(10_000, delayMs -> delayMs + about(25, 0.1), others)).isLessThan(500);
        assertThat(keptMs()).isZero();
    }

    @Test
    void leavesADelayOfTheOperatorAlone() {
        delay = OffsetDelay.fixed(9 * MS);
        assertThat(commit(500, delayMs -> 50)).isEqualTo(500);
        assertThat(delay.nanos()).isEqualTo(9 * MS);
        assertThat(keptMs()).isEqualTo(9);
    }
}
