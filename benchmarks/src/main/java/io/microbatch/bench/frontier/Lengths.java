package io.microbatch.bench.frontier;

/**
 * How long the parts of a run take, in seconds. Immutable.
 *
 * @param learn the one run of a contender that learns, before the rounds
 * @param seconds the measured part of a run
 */
record Lengths(int learn, int seconds) {

    /** The one run of a contender that does not learn, before the rounds. */
    static final int WARM_UP = 5;

    /** The first part of each run, which is not measured. */
    static final int SETTLE = 3;

    /** The last part of each run, which is not measured: a source that has nothing more polls more slowly. */
    static final int COOL_DOWN = 1;

    /** How much longer a run may take than its events are due, with the connector's start. What is late is cut off. */
    static final int GRACE = 15;
}
