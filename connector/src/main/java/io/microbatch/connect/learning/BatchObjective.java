package io.microbatch.connect.learning;

/** What is preferred among the settings that keep the latency budget. */
public enum BatchObjective {
    /** The least cost per event; of those within 5 % of it the shortest linger. */
    EFFICIENCY,
    /** The shortest linger whose capacity is at least four times the arrival rate. */
    LATENCY
}
