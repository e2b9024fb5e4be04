package io.microbatch.connect.control;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Detects commits that look like a broker's default of {@value #DEFAULT_BACKOFF_MS} ms for {@value #BROKER_SETTING}.
 *
 * <p>A transaction that begins while the markers of the last one are being written waits for that long. So its delay
 * is the usual one or the usual one plus a little more than {@value #DEFAULT_BACKOFF_MS} ms, and hardly anything in
 * between. If it waits for two brokers one after the other, it is that plus as much again. A slow, a noisy or a
 * stalling broker has other delays: they are long throughout, lie in between too, or go far beyond. Only small
 * transactions are looked at, because large ones take long for their size.
 *
 * <p>It answers once per task start. Task thread; allocates nothing until it answers. One of {@value #WINDOW} calls
 * sorts that many numbers.
 */
public final class RetryBackoffDetector {

    private static final String BROKER_SETTING = "add.partitions.to.txn.retry.backoff.ms";
    private static final int DEFAULT_BACKOFF_MS = 20;

    /** The number of transactions that are judged together. */
    private static final int WINDOW = 200;

    /** One window may be a coincidence, and in the first one after a start the JVM is still compiling. */
    private static final int WINDOWS_IN_A_ROW = 2;

    /** Converting and sending so little takes a few milliseconds at most. */
    private static final int MAX_EVENTS = 200;

    private static final long MAX_BYTES = 256 * 1024;

    private static final long MS = 1_000_000;

    /**
     * The usual delay is that of the fastest tenth, so that most transactions of a window may have waited. If more than
     * nine in ten waited, nothing is detected.
     */
    private static final int USUAL_RANK = WINDOW / 10;

    /** With a slower broker the markers alone take as long as the pause, and no gap can be seen. */
    private static final long MAX_USUAL_NANOS = 12 * MS;

    /** Up to this much longer is usual. */
    private static final long SPREAD_NANOS = 5 * MS;

    /** The wait itself lasts 20 ms and more. The request that follows it takes its time, as usual ones do. */
    private static final long MIN_WAIT_NANOS = 18 * MS;

    private static final long MAX_WAIT_NANOS = 30 * MS;

    /** Up to this much longer is two waits. */
    private static final long MAX_TWO_WAITS_NANOS = 60 * MS;

    /** One in twenty: fewer do not matter to a p99, and may be anything. */
    private static final int MIN_WAITED = WINDOW / 20;

    /** The delays between the two groups, and those beyond both, are fewer than this part of those that waited. */
    private static final int MAX_OTHERS_PARTS = 4;

    private final long[] delays = new long[WINDOW];
    private int filled;
    private int windowsInARow;
    private boolean answered;

    /**
     * What was found in the last {@value RetryBackoffDetector#WINDOW} small transactions.
     *
     * @param waitedPercent the share of transactions that waited
     * @param usualMs the usual delay of the others
     * @param extraMs how much longer the median of those took that waited
     */
    public record Finding(int waitedPercent, double usualMs, double extraMs) {

        /** A line for the log that names the setting and the remedy. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%d %% of the last %d small transactions took about %.0f ms longer than the usual %.1f ms. This "
                            + "looks like the default %s=%d of Kafka's brokers: a transaction waits for that long if "
                            + "it begins while the markers of the last one are being written. It is a setting: 1 in "
                            + "the properties of every broker removes most of the wait. Where transaction.version is "
                            + "below 2, the producer makes the wait, and producer.override.retry.backoff.ms=1 removes "
                            + "it. docs/tuning.md says what both cost",
                    waitedPercent,
                    WINDOW,
                    extraMs,
                    usualMs,
                    BROKER_SETTING,
                    DEFAULT_BACKOFF_MS);
        }
    }

    /**
     * Takes the next committed transaction, and answers once if the delays look like the default.
     *
     * @param delayNanos from the return of the batch to its acknowledgement
     * @param events the number of its events
     * @param sizeBytes the estimated size of its events
     */
    public Optional<Finding> committed(long delayNanos, int events, long sizeBytes) {
        if (answered || events > MAX_EVENTS || sizeBytes > MAX_BYTES) {
            return Optional.empty();
        }
        delays[filled++] = delayNanos;
        if (filled < WINDOW) {
            return Optional.empty();
        }
        filled = 0;
        Arrays.sort(delays);
        windowsInARow = looksLikeTheDefault() ? windowsInARow + 1 : 0;
        if (windowsInARow < WINDOWS_IN_A_ROW) {
            return Optional.empty();
        }
        answered = true;
        return Optional.of(finding());
    }

    private boolean looksLikeTheDefault() {
        long usualNanos = delays[USUAL_RANK];
        int waited = between(usualNanos + MIN_WAIT_NANOS, usualNanos + MAX_WAIT_NANOS);
        int between = between(usualNanos + SPREAD_NANOS, usualNanos + MIN_WAIT_NANOS);
        int waitedTwice = between(usualNanos + MAX_WAIT_NANOS, usualNanos + MAX_TWO_WAITS_NANOS);
        int beyond = between(usualNanos + MAX_TWO_WAITS_NANOS, Long.MAX_VALUE);
        return usualNanos < MAX_USUAL_NANOS
                && waited >= MIN_WAITED
                && waitedTwice <= waited
                && MAX_OTHERS_PARTS * between < waited
                && MAX_OTHERS_PARTS * beyond < waited;
    }

    private Finding finding() {
        long usualNanos = delays[USUAL_RANK];
        int first = rank(usualNanos + MIN_WAIT_NANOS);
        int waited = between(usualNanos + MIN_WAIT_NANOS, usualNanos + MAX_WAIT_NANOS);
        double extraNanos = delays[first + waited / 2] - usualNanos;
        return new Finding(100 * waited / WINDOW, usualNanos / (double) MS, extraNanos / MS);
    }

    /** The number of delays from one (inclusive) to the other (exclusive). */
    private int between(long fromNanos, long toNanos) {
        return rank(toNanos) - rank(fromNanos);
    }

    /** The number of delays below this one. */
    private int rank(long nanos) {
        int below = 0;
        while (below < WINDOW && delays[below] < nanos) {
            below++;
        }
        return below;
    }
}
