package io.microbatch.connect.console;

/**
 * What a task does per second, from its figures. Times are in milliseconds. Not a number is "not known". Immutable; any
 * thread.
 *
 * @param rate events a second
 * @param pollsPerSec polls a second that return events
 * @param eventsPerPoll events that such a poll returns
 * @param transactionsPerSec committed transactions a second
 * @param commitMs the average time of a commit
 * @param commitMaxMs the longest time of a commit
 * @param pollMs the average time of a poll that returns events
 * @param pollMaxMs the longest time of such a poll
 */
record Load(
        double rate,
        double pollsPerSec,
        double eventsPerPoll,
        double transactionsPerSec,
        double commitMs,
        double commitMaxMs,
        double pollMs,
        double pollMaxMs) {

    /** Under this rate a minute has too few events for a verdict. */
    private static final double MIN_RATE = 0.2;

    /** From this part of the time on that is spent in polls, the task waits for its source there. */
    private static final double BLOCKING = 0.5;

    /** From this part of the time on that is spent in commits, they are what holds the task up. */
    private static final double COMMIT_BOUND = 0.7;

    /** Connect's averages and maxima are those of the last 30 s at least. */
    private static final double AVERAGED_SECONDS = 30;

    private static final double ONE_IN = 100;

    static Load of(TaskSnapshot task) {
        double rate = task.get(Figure.RATE, 0);
        double eventsPerPoll = Math.max(1, task.get(Figure.BATCH_RECORDS_AVG, 1));
        double written = task.get(Figure.WRITE_RATE, rate);
        double perTransaction = task.get(Figure.TRANSACTION_RECORDS_AVG);
        double commitMs = task.get(Figure.COMMIT_AVG_MS, 0);
        return new Load(
                rate,
                rate / eventsPerPoll,
                eventsPerPoll,
                perTransaction > 0 ? written / perTransaction : 0,
                commitMs,
                task.get(Figure.COMMIT_MAX_MS, commitMs),
                task.get(Figure.POLL_AVG_MS, 0),
                task.get(Figure.POLL_MAX_MS, 0));
    }

    boolean isIdle() {
        return rate < MIN_RATE;
    }

    /**
     * The 99th percentile of the time of a commit, as far as the average and the longest of half a minute tell. Of many
     * commits the longest is rarer than one in a hundred: the tail is taken to thin out evenly, as an exponential one.
     */
    double commitP99Ms() {
        double commits = transactionsPerSec * AVERAGED_SECONDS;
        return commits > ONE_IN
                ? commitMs + (commitMaxMs - commitMs) * Math.log(ONE_IN) / Math.log(commits)
                : commitMaxMs;
    }

    /** The part of the time that the task is in polls that return events. */
    double inPoll() {
        return Math.min(1, pollsPerSec * pollMs / 1_000);
    }

    /** The part of the time that the task is in commits. */
    double inCommit() {
        return Math.min(1, transactionsPerSec * commitMs / 1_000);
    }

    /** Whether a poll waits for the source. Connect looks at its interval only when a poll returns. */
    boolean blocksInPoll() {
        return inPoll() >= BLOCKING;
    }

    boolean isCommitBound() {
        return inCommit() >= COMMIT_BOUND;
    }

    /** The usual time until a poll returns, in milliseconds. */
    double gapMs() {
        return blocksInPoll() ? 1_000 / Math.max(MIN_RATE, pollsPerSec) : pollMs;
    }
}
