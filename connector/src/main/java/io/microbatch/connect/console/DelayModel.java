package io.microbatch.connect.console;

/**
 * Predicts the delay in the worker and the transactions a second of a setting under exactly-once. Everything is in
 * milliseconds and per second. Stateless; any thread.
 *
 * <p>The model has few terms, so that an operator can repeat it. Its constants come from
 * benchmarks/results/frontier-earlier.md. There the p99 of an interval of 20 ms and more, and of a target of 30 ms and
 * more, is within a factor of 1.5 of the prediction, {@link #ERROR_FACTOR}.
 */
final class DelayModel {

    /** By this factor a measured p99 was larger or smaller than the predicted one at most. */
    static final double ERROR_FACTOR = 1.5;

    /** Processor time of worker and broker for one transaction: 1.8 to 3.1 ms on two virtual cores. */
    static final double TRANSACTION_CPU_MS = 2.5;

    /** The shortest interval that is advised: within the broker's default back-off transactions delay each other. */
    static final double MIN_INTERVAL_MS = 20;

    /**
     * How many times as long as a commit an interval has to be. Connect counts it from the beginning of a commit, so
     * that at a factor of 1 every poll commits. With three brokers twice a commit still was too short.
     */
    static final double COMMITS_PER_INTERVAL = 3;

    /** How many times as long as a commit a target has to be. */
    static final double COMMITS_PER_TARGET = 3;

    /** The part of a target that is used. The rest is the reserve for what the task does not see. */
    private static final double USABLE = 0.9;

    /** Fewer events than this in a waiting time, and an event is committed alone. */
    private static final double COMPANY = 0.5;

    private DelayModel() {}

    /**
     * A transaction for each poll: an event waits for its poll to return, and for the commit.
     *
     * @param waitMs how long the source holds an event back, as Debezium's poll interval does
     * @param commitP99Ms the 99th percentile of the time of a commit
     */
    static Estimate eachPoll(double pollsPerSec, double waitMs, double commitMs, double commitP99Ms) {
        return new Estimate(
                waitMs + commitMs,
                2 * waitMs + Math.max(commitMs, commitP99Ms),
                Math.min(pollsPerSec, 1_000 / Math.max(1, commitMs)));
    }

    /**
     * Connect's interval. It is looked at when a poll returns.
     *
     * @param polls when the polls return that have events
     */
    static Estimate interval(PollTiming polls, double intervalMs, double commitMs) {
        double pollsPerSec = polls.perSec();
        double gapMs = polls.gapMs();
        if (intervalMs <= commitMs) {
            // The interval is over whenever a commit ends: the delay is that of a queue, and not known.
            return new Estimate(Double.NaN, Double.NaN, Math.min(pollsPerSec, 1_000 / Math.max(1, commitMs)));
        }
        if (pollsPerSec * intervalMs / 1_000 < COMPANY) {
            return new Estimate(
                    polls.waitMs() + commitMs, 2 * polls.waitMs() + COMMITS_PER_INTERVAL * commitMs, pollsPerSec);
        }
        double half = (intervalMs + gapMs) / 2;
        return new Estimate(
                half + commitMs,
                intervalMs + gapMs + commitMs,
                Math.min(pollsPerSec, 1_000 / (intervalMs + gapMs / 2)));
    }

    /** This project's connector with a latency target. Polls of the source do not matter: another thread makes them. */
    static Estimate target(double rate, double targetMs, double commitMs) {
        double lingerMs = Math.max(USABLE * targetMs - commitMs, targetMs / 5);
        if (rate * lingerMs / 1_000 < COMPANY) {
            return new Estimate(commitMs, COMMITS_PER_TARGET * commitMs, Math.min(rate, 1_000 / Math.max(1, commitMs)));
        }
        double firstMs = rate > 0 ? 1_000 / rate : 0;
        return new Estimate(lingerMs / 2 + commitMs, lingerMs + commitMs, Math.min(rate, 1_000 / (lingerMs + firstMs)));
    }

    /**
     * The longest interval with which the p99 stays at the goal, in steps of ten milliseconds. Not a number if none is
     * long enough for the commit.
     */
    static double intervalFor(double goalMs, double gapMs, double commitMs) {
        return longest(goalMs, gapMs, commitMs, minInterval(commitMs));
    }

    /**
     * The same from the commits of transactions that follow each other without a pause. Such a commit waits for the one
     * before it and is longer than one after a pause, so that two of them are long enough for an interval.
     */
    static double intervalAfterBackToBack(double goalMs, double gapMs, double commitMs) {
        return longest(goalMs, gapMs, commitMs, minIntervalAfterBackToBack(commitMs));
    }

    /** The shortest interval by the commits of transactions that follow each other without a pause. */
    static double minIntervalAfterBackToBack(double commitMs) {
        return Math.max(MIN_INTERVAL_MS, 2 * commitMs);
    }

    private static double longest(double goalMs, double gapMs, double commitMs, double shortestMs) {
        double rounded = Math.floor((goalMs - gapMs - commitMs) / 10) * 10;
        return rounded >= shortestMs ? rounded : Double.NaN;
    }

    /** The shortest interval that is not too short for the commit. */
    static double minInterval(double commitMs) {
        return Math.max(MIN_INTERVAL_MS, COMMITS_PER_INTERVAL * commitMs);
    }

    /** Whether this project's connector can keep the goal. */
    static boolean isTargetPossible(double goalMs, double commitMs) {
        return goalMs >= COMMITS_PER_TARGET * commitMs;
    }
}
