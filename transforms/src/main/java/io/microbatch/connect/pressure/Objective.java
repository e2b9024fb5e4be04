package io.microbatch.connect.pressure;

/** What is preferred among the settings that keep the latency budget. */
public enum Objective {
    /** The lowest cost per event. Among settings within 5 % of it, the shortest linger. */
    EFFICIENCY(0.5),
    /** The lowest p99 whose service rate is at least 1.5 times the arrival rate. */
    LATENCY(0.1);

    private final double firstLingerRatio;

    Objective(double firstLingerRatio) {
        this.firstLingerRatio = firstLingerRatio;
    }

    /** The part of the latency budget that the linger starts with, before anything is learned. */
    public double firstLingerRatio() {
        return firstLingerRatio;
    }
}
