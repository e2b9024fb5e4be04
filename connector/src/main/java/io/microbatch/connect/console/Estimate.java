package io.microbatch.connect.console;

/**
 * What is expected of a setting, by {@link DelayModel}. Delays are those in the worker, from the return of the source's
 * event to its commit. Not a number is "not known". Immutable; any thread.
 *
 * @param p50Ms the median of the delay
 * @param p99Ms the 99th percentile of the delay
 * @param transactionsPerSec committed transactions a second
 */
record Estimate(double p50Ms, double p99Ms, double transactionsPerSec) {

    /** Nothing is known. */
    static final Estimate UNKNOWN = new Estimate(Double.NaN, Double.NaN, Double.NaN);

    /** Processor cores of worker and broker together that the transactions take. */
    double transactionCores() {
        return transactionsPerSec * DelayModel.TRANSACTION_CPU_MS / 1_000;
    }
}
