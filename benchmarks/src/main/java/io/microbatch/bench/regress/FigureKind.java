package io.microbatch.bench.regress;

import java.util.Optional;
import java.util.Set;

/**
 * What a figure counts, by the last name of its path. A slower machine changes each kind in its own way: twice the CPU
 * for an event leaves the latency of an interval as it is.
 */
enum FigureKind {
    /** Events or records per second: more is better. */
    RATE,
    /** A time that an event waits: less is better. */
    LATENCY,
    /** Processor time: less is better. */
    CPU;

    /** Contenders whose name stands for their rate. */
    private static final Set<String> CONTENDERS = Set.of(
            "naive",
            "interval_20",
            "interval_50",
            "interval_100",
            "fixed",
            "adaptive",
            "hosted",
            "hosted_interval_100",
            "hosted_unbuffered",
            "hosted_unbuffered_interval_100",
            "unbuffered",
            "unbuffered_interval_20",
            "unbuffered_interval_50",
            "unbuffered_interval_100",
            "producer",
            "adaptive_bulk",
            "raw_bulk",
            "raw_mega",
            "adaptive_records");

    private static final String IDLE_CPU = "idle_cpu_ms_per_s";
    private static final String STEP_TIMES = "(up|down)_ms";
    private static final double SLICE_MS = 100;

    /** Empty if a number of this name cannot become better or worse. */
    static Optional<FigureKind> of(String key) {
        if (key.equals(IDLE_CPU) || key.contains("cpu_s_per_million")) {
            return Optional.of(CPU);
        }
        if (key.endsWith("per_s") || key.equals("capacity") || isContender(key)) {
            return Optional.of(RATE);
        }
        return key.matches("(ack_)?p[0-9]+_.*ms.*|(live_after|first_new)_ms_.*|lowest_.*|" + STEP_TIMES)
                ? Optional.of(LATENCY)
                : Optional.empty();
    }

    /** Whether a number of this name is the rate of a contender, and not how often something was done. */
    static boolean isContender(String key) {
        return CONTENDERS.contains(key);
    }

    /**
     * How much better a figure is than another: 1 for the same, 0.5 for half the rate or twice the latency. Times in
     * whole tenths of a second, as of a step, may be 0 and count from a tenth on.
     */
    double ratio(String key, double from, double to) {
        double floor = key.matches(STEP_TIMES) ? SLICE_MS : Double.MIN_NORMAL;
        double before = Math.max(floor, from);
        double after = Math.max(floor, to);
        return this == RATE ? after / before : before / after;
    }

    /** The worse of two values. */
    double worse(double one, double other) {
        return this == RATE ? Math.min(one, other) : Math.max(one, other);
    }
}
