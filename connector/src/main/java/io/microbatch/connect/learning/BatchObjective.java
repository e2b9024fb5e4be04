package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.BootstrapTarget;

/** What is preferred among the settings that keep the latency budget. */
public enum BatchObjective {
    /** The least cost per event; of those within 5 % of it the shortest linger. */
    EFFICIENCY(BootstrapTarget.EFFICIENCY_LINGER_RATIO),
    /** The shortest linger whose capacity is at least four times the arrival rate. */
    LATENCY(BootstrapTarget.LATENCY_LINGER_RATIO);

    private final double firstLingerRatio;

    BatchObjective(double firstLingerRatio) {
        this.firstLingerRatio = firstLingerRatio;
    }

    /** The part of the budget that the linger begins with, before anything is learned. */
    public double firstLingerRatio() {
        return firstLingerRatio;
    }
}
