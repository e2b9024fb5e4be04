package io.microbatch.connect.control;

/**
 * Estimates how long a broker writes the markers of a transaction: the distance at which one of {@value #ONE_IN} next
 * transactions waits for them. One that comes too early takes longer than usual by the back-off of the broker or the
 * producer ({@link RetryBackoffDetector}). Each transaction that begins at about the estimated distance moves the
 * estimate: up if it waited, and down a little if it did not, so that the two balance at that quantile (Robbins and
 * Monro, A Stochastic Approximation Method, 1951). One thread; nanoseconds.
 */
final class MarkerTime {

    static final int ONE_IN = 20;

    /** The least that is assumed: an idle broker takes this long. */
    static final long MIN_NANOS = 2_000_000;

    /** Markers of small transactions that take longer are those of a slow broker, whose delays say so. */
    static final long MAX_NANOS = 12_000_000;

    /** Longer than usual by this much is a back-off of 20 ms, the default. One of 1 ms needs no distance. */
    private static final long MIN_WAITED_NANOS = 15_000_000;

    /** Longer than that is a slow broker. Two back-offs in a row are possible. */
    private static final long MAX_WAITED_NANOS = 50_000_000;

    /** A transaction that began sooner than this part of the distance in force was not paced: its batch was full. */
    private static final double MIN_DISTANCES = 0.5;

    /** A transaction that began later than this many distances, those in force or estimated, says nothing of them. */
    private static final int MAX_DISTANCES = 2;

    private static final double UP = 1.5;
    private static final double DOWN = Math.pow(UP, -1.0 / (ONE_IN - 1));

    private double nanos = MIN_NANOS;
    private long lastNanos = Long.MIN_VALUE / 2;

    /** The estimate. */
    long nanos() {
        return (long) nanos;
    }

    /**
     * A transaction was committed that paused before it sent the offsets. A back-off of the records may be a part of
     * the pause, so that it says nothing.
     */
    void committedLater(long nowNanos) {
        lastNanos = nowNanos;
    }

    /**
     * Takes a committed transaction.
     *
     * @param nowNanos the time of its commit
     * @param delayNanos the time from the return of its batch to the commit
     * @param usualNanos the usual delay
     * @param pacingNanos the distance in force, which may be shorter or longer than the estimate
     */
    void committed(long nowNanos, long delayNanos, long usualNanos, long pacingNanos) {
        long distanceNanos = nowNanos - delayNanos - lastNanos;
        lastNanos = nowNanos;
        long longerNanos = delayNanos - usualNanos;
        // A batch that was returned before the last commit belongs to no transaction that followed it.
        boolean followed = distanceNanos >= 0
                && distanceNanos >= MIN_DISTANCES * pacingNanos
                && distanceNanos <= MAX_DISTANCES * Math.max(nanos, (double) pacingNanos);
        // What large transactions, or those of a slow broker, take longer than usual may have any cause.
        if (followed && usualNanos <= MAX_NANOS && longerNanos <= MAX_WAITED_NANOS) {
            double factor = longerNanos >= MIN_WAITED_NANOS ? UP : DOWN;
            nanos = Math.max(MIN_NANOS, Math.min(MAX_NANOS, nanos * factor));
        }
    }
}
