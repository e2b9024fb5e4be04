package io.microbatch.bench.regress;

/**
 * A figure of a result.
 *
 * @param kind what it counts
 * @param value the median of its rounds
 * @param worst the worst of its rounds; not a number if the result has the median only
 */
record Figure(FigureKind kind, double value, double worst) {}
