package io.microbatch.connect.console;

/** From which differences on an advice changes something, whatever the connector is. Constant; any thread. */
public final class AdviceLimits {

    /** By this factor a p99 may be over the goal and still keep it. */
    public static final double TOLERANCE = 1.1;

    /** Processor cores from which on a saving is worth a restart of the connector. */
    public static final double WORTH_CORES = 0.05;

    private AdviceLimits() {}
}
