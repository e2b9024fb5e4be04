package io.microbatch.bench.frontier;

/**
 * How long the parts of a run take, in seconds. Immutable.
 *
 * @param learn the one run of a contender that learns, before the rounds
 * @param settle the first part of each run in the rounds, which is not measured
 * @param seconds the measured part of a run
 * @param maxSeconds the same at the lowest rates, where a run is longer for a percentile to be one of many events
 */
record Lengths(int learn, int settle, int seconds, int maxSeconds) {

    /** The measured part unless the user chooses another. */
    static final int SECONDS = 8;

    private static final int MAX_SECONDS = 20;

    /**
     * A level has about seventeen short windows until its first trials are over, and then windows of 10 s. With fewer
     * than ten windows of its best setting each round would begin with the first trials again.
     */
    static final int LEARN = 150;

    /** Ten of them are later than the 99th percentile. */
    private static final int MIN_EVENTS = 1_000;

    /** The one run of a contender that does not learn, before the rounds. */
    static final int WARM_UP = 5;

    /** The first part of each run unless the user chooses another. */
    static final int SETTLE = 3;

    /** The last part of each run, which is not measured: a source that has nothing more polls more slowly. */
    static final int COOL_DOWN = 1;

    /** How much longer a run may take than its events are due, with the connector's start. What is late is cut off. */
    static final int GRACE = 15;

    /** As the user wants it, and otherwise longer where the rate is low. */
    static Lengths of(Integer chosenLearn, Integer chosenSettle, Integer chosenSeconds) {
        int learn = chosenLearn == null ? LEARN : chosenLearn;
        int settle = chosenSettle == null ? SETTLE : chosenSettle;
        return chosenSeconds == null
                ? new Lengths(learn, settle, SECONDS, MAX_SECONDS)
                : new Lengths(learn, settle, chosenSeconds, chosenSeconds);
    }

    /** The measured part of a run at a rate. */
    int secondsAt(int perSec) {
        int enough = (MIN_EVENTS + perSec - 1) / perSec;
        return Math.max(seconds, Math.min(maxSeconds, enough));
    }
}
