package io.microbatch.bench.scenario;

/** What is measured of a run. */
enum Figure {
    /** Events per second. */
    PER_SEC("per_s", "", "/s", true),
    /** From when an event was due to a reader's having it: half of them were faster. */
    P50_MS("p50_ms", "p50", "ms", false),
    /** The same for 99 of 100. */
    P99_MS("p99_ms", "p99", "ms", false),
    /** The same for 999 of 1,000. */
    P999_MS("p999_ms", "p99.9", "ms", false),
    /** From arrival in the task to acknowledgement, the median of the observation windows. */
    ACK_P50_MS("ack_p50_ms", "ack p50", "ms", false),
    /** The same for 99 of 100. */
    ACK_P99_MS("ack_p99_ms", "ack p99", "ms", false),
    /** Worker and brokers. */
    CPU("cpu_s_per_million", "CPU", "s/M", false),
    /** From the request or the fault until events are within the latency budget again. */
    LIVE_AFTER_MS("live_after_ms", "live after", "ms", false),
    /** From the request or the fault to the first event after the interruption. */
    FIRST_NEW_MS("first_new_ms", "first new after", "ms", false),
    /** How many events behind what was read the source went back. */
    REPEATED("repeated_events", "went back", "events", false);

    private final String key;
    private final String label;
    private final String unit;
    private final boolean moreIsBetter;

    Figure(String key, String label, String unit, boolean moreIsBetter) {
        this.key = key;
        this.label = label;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
    }

    /** As a result has it, so that {@code regress} knows which way is better. */
    String key(Contender contender) {
        return this == PER_SEC ? contender.text() + "_" + key : key + "_" + contender.text();
    }

    /** Before the figure, in a line. */
    String label() {
        return label;
    }

    /** Behind it. */
    String unit() {
        return unit;
    }

    /** By how much one value is better than another: over 1 for better. */
    double advantage(double ours, double theirs) {
        double least = moreIsBetter ? Double.MIN_NORMAL : 1e-3;
        double mine = Math.max(least, ours);
        double yours = Math.max(least, theirs);
        return moreIsBetter ? mine / yours : yours / mine;
    }
}
