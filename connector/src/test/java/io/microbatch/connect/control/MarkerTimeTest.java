package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkerTimeTest {

    private static final long MS = 1_000_000;
    private static final long USUAL = 3 * MS;
    private static final long BACKED_OFF = 24 * MS;

    private final MarkerTime markers = new MarkerTime();
    private long nowNanos;

    /** A transaction that begins so long after the last one. */
    private void commit(double distanceMs, long delayNanos) {
        nowNanos += (long) (distanceMs * MS) + delayNanos;
        markers.committed(nowNanos, delayNanos, USUAL, markers.nanos());
    }

    /** Transactions that follow each other at the estimated distance, and wait for markers that take longer. */
    private double settle(DoubleSupplier markersMs) {
        double sumMs = 0;
        for (int i = 0; i < 4_000; i++) {
            double distanceMs = markers.nanos() / (double) MS;
            commit(distanceMs, distanceMs < markersMs.getAsDouble() ? BACKED_OFF : USUAL);
            sumMs += i >= 2_000 ? distanceMs / 2_000 : 0;
        }
        return sumMs;
    }

    @ParameterizedTest
    @ValueSource(doubles = {2.5, 4, 8})
    void findsTheDistanceAtWhichTransactionsNoLongerWait(double markersMs) {
        assertThat(settle(() -> markersMs)).isBetween(0.9 * markersMs, 1.5 * markersMs);
    }

    /** Of uniform times from 0 to 8 ms the 95th percentile is 7.6 ms. */
    @Test
    void findsTheDistanceAtWhichOneOfTwentyWaits() {
        Random random = new Random(5);
        assertThat(settle(() -> 8 * random.nextDouble())).isBetween(6.5, 8.5);
    }

    @Test
    void returnsToTheMinimumWhenNothingWaits() {
        settle(() -> 8);
        assertThat(settle(() -> 0)).isBetween(1.99, 2.01);
    }

    @Test
    void isLimited() {
        for (int i = 0; i < 100; i++) {
            commit(markers.nanos() / (double) MS, BACKED_OFF);
        }
        assertThat(markers.nanos()).isEqualTo(MarkerTime.MAX_NANOS);
    }

    /** Full batches are not paced: they begin at once. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.9, 4.1})
    void learnsNothingFromTransactionsThatBeganMuchSoonerOrLater(double distanceMs) {
        for (int i = 0; i < 100; i++) {
            commit(distanceMs, BACKED_OFF);
        }
        assertThat(markers.nanos()).isEqualTo(MarkerTime.MIN_NANOS);
    }

    /** Half of a short budget is the longest distance, and the estimate may be longer. */
    @Test
    void learnsFromTransactionsThatFollowAtADistanceBelowTheEstimate() {
        settle(() -> MarkerTime.MAX_NANOS / (double) MS);
        assertThat(markers.nanos()).isGreaterThan(10 * MS);
        for (int i = 0; i < 100; i++) {
            nowNanos += 4 * MS + USUAL;
            markers.committed(nowNanos, USUAL, USUAL, 4 * MS);
        }
        assertThat(markers.nanos()).isLessThan(4 * MS);
    }

    /** Large transactions, or a slow broker: what takes longer than usual there may be anything. */
    @Test
    void learnsNothingWhereTransactionsUsuallyTakeLongerThanTheMaximum() {
        for (int i = 0; i < 100; i++) {
            long usualNanos = 13 * MS;
            nowNanos += 2 * MS + BACKED_OFF + usualNanos;
            markers.committed(nowNanos, BACKED_OFF + usualNanos, usualNanos, markers.nanos());
        }
        assertThat(markers.nanos()).isEqualTo(MarkerTime.MIN_NANOS);
    }

    /** With Connect's interval one transaction spans many batches. */
    @Test
    void learnsNothingFromTheOtherBatchesOfATransaction() {
        for (int i = 0; i < 100; i++) {
            commit(5, USUAL);
            markers.committed(nowNanos, BACKED_OFF, USUAL, markers.nanos());
        }
        assertThat(markers.nanos()).isEqualTo(MarkerTime.MIN_NANOS);
    }

    /** A broker that takes 100 ms for each commit is no back-off, nor is one that takes 10 ms longer than usual. */
    @ParameterizedTest
    @ValueSource(longs = {17, 54, 100})
    void takesNoSlowBrokerForABackOff(long delayMs) {
        for (int i = 0; i < 100; i++) {
            commit(2, delayMs * MS);
        }
        assertThat(markers.nanos()).isEqualTo(MarkerTime.MIN_NANOS);
    }
}
