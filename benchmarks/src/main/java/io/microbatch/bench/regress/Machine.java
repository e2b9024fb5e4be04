package io.microbatch.bench.regress;

/**
 * How the figures of rivals have changed, which contain nothing of this project: 1 for not at all, 0.5 for half the
 * rate or twice the latency.
 *
 * @param speed the median of their changes
 * @param worst the worst of their changes
 */
record Machine(double speed, double worst) {

    /** A machine that is as it was. Its rivals cannot excuse a loss. */
    static final Machine SAME = new Machine(1, 1);
}
