package io.microbatch.connect.console;

/** From which differences on an advice changes something, whatever the connector is. Constant; any thread. */
public final class AdviceLimits {

    /** By this factor a p99 may be over the goal and still keep it. */
    public static final double TOLERANCE = 1.1;

    /** Processor cores from which on a saving is worth a restart of the connector. */
    public static final double WORTH_CORES = 0.05;

    /** The shortest p99 that can be the goal, in milliseconds: the shortest {@code latency.target.ms}. */
    static final double MIN_GOAL_MS = 1;

    /** The longest p99 that can be the goal, in milliseconds: the longest {@code latency.target.ms}. */
    static final double MAX_GOAL_MS = 30_000;

    private AdviceLimits() {}
}
