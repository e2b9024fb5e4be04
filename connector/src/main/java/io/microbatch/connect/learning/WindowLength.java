package io.microbatch.connect.learning;

/**
 * How long a window lasts. While a level is explored, a window may be short, because each of its first trials stands
 * between two other windows. Immutable.
 *
 * @param wholeMs the length of a whole window, in milliseconds
 */
record WindowLength(long wholeMs) {

    /** The benchmarks with short runs learn from windows of this length. */
    private static final long MAX_SHORT_MS = 2_000;

    /**
     * The minimum number of batches of a short window. A score is a mean over the batches of a window. The mean of
     * twenty scatters less than a quarter as much as one batch does: where batches differ by a fifth, it is off by less
     * than the 5 % within which scores are equal.
     */
    private static final int MIN_SHORT_BATCHES = 20;

    /** The part of the time that is enough for a window that a change of level or target ended early. */
    private static final double ENOUGH = 0.9;

    /**
     * Whether a window has lasted long enough to be ended.
     *
     * @param lengthMs the time since its begin, in milliseconds
     * @param batches the batches since then
     * @param exploring whether the first trials of its level are not over
     */
    boolean isOver(long lengthMs, long batches, boolean exploring) {
        return lengthMs >= minMs(batches, exploring);
    }

    /** Whether a finished window was long enough to be learned from. The parameters are those of {@link #isOver}. */
    boolean isEnough(long lengthMs, long batches, boolean exploring) {
        return lengthMs >= ENOUGH * minMs(batches, exploring);
    }

    private long minMs(long batches, boolean exploring) {
        return exploring && batches >= MIN_SHORT_BATCHES ? Math.min(wholeMs, MAX_SHORT_MS) : wholeMs;
    }
}
