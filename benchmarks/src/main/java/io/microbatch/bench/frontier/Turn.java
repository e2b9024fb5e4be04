package io.microbatch.bench.frontier;

import io.microbatch.bench.load.LoadResult;

/**
 * What a contender showed in one run at a rate. Immutable. Figures are not a number where there are none: an unverified
 * run has none at all, and a run that did not carry its rate has no latencies, which would be as long as the run, and
 * no CPU time, which would be that of other events than those of the rate.
 *
 * @param verified whether every event that the source had committed was read once, unaltered and in order
 * @param carried whether events came as fast as they were due
 * @param cut whether the time limit ended the run before its last event
 * @param perSec events per second of the measured part, or of the whole run if it was cut off
 * @param p50Ms end to end, from when an event was due
 * @param workerCpu CPU seconds of the worker per million events
 * @param brokerCpu the same of all brokers
 * @param tps committed transactions per second; not a number without transactions
 * @param events how many events the latencies are of
 */
record Turn(
        boolean verified,
        boolean carried,
        boolean cut,
        double perSec,
        double p50Ms,
        double p95Ms,
        double p99Ms,
        double p999Ms,
        double workerCpu,
        double brokerCpu,
        double tps,
        long events) {

    /**
     * What a run has shown.
     *
     * @param mayBeLate whether a run that was cut off is verified by what came until then. One of ours is not, because
     *     it may hang
     */
    static Turn of(LoadResult result, int rate, boolean mayBeLate) {
        boolean verified = result.isSound(mayBeLate);
        if (!verified) {
            return without(false, false, Double.NaN);
        }
        double perSec = result.perSec();
        if (!result.carried(rate)) {
            return without(true, result.cut(), perSec);
        }
        return new Turn(
                true,
                true,
                false,
                perSec,
                result.p(50),
                result.p(95),
                result.p(99),
                result.p(99.9),
                result.workerCpuSecPerMillion(),
                result.brokerCpuSecPerMillion(),
                result.first().transactionsPerSec(),
                result.first().measured());
    }

    private static Turn without(boolean verified, boolean cut, double perSec) {
        double none = Double.NaN;
        return new Turn(verified, false, cut, perSec, none, none, none, none, none, none, none, 0);
    }

    /** CPU seconds of worker and brokers per million events. */
    double cpu() {
        return workerCpu + brokerCpu;
    }
}
