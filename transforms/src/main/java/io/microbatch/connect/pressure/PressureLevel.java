package io.microbatch.connect.pressure;

/**
 * The ten bands of the arrival rate, from real time to maximum throughput. A level's latency budget limits the 99th
 * percentile of the time from an event's arrival in the task to its durable acknowledgement.
 *
 * <p>Each constant has its budget in milliseconds and the lower bound of its band in events per second. A band includes
 * its lower bound and excludes its upper one. Immutable; any thread.
 */
public enum PressureLevel {
    L1_REALTIME(1, 0),
    L2_FAST(5, 10),
    L3_LOW(10, 100),
    L4_MODERATE(50, 500),
    L5_BALANCED(100, 2_000),
    L6_THROUGHPUT(500, 10_000),
    L7_HIGH(1_000, 50_000),
    L8_AGGRESSIVE(5_000, 200_000),
    L9_EXTREME(15_000, 1_000_000),
    L10_MAX(30_000, 5_000_000);

    private static final PressureLevel[] LEVELS = values();

    private final int budgetMs;
    private final double lowerBoundPerSec;

    PressureLevel(int budgetMs, double lowerBoundPerSec) {
        this.budgetMs = budgetMs;
        this.lowerBoundPerSec = lowerBoundPerSec;
    }

    /** The level whose band contains the rate. A negative rate or NaN counts as zero. */
    public static PressureLevel ofRate(double eventsPerSec) {
        for (int i = LEVELS.length - 1; i > 0; i--) {
            if (eventsPerSec >= LEVELS[i].lowerBoundPerSec) {
                return LEVELS[i];
            }
        }
        return L1_REALTIME;
    }

    public static PressureLevel ofNumber(int number) {
        return LEVELS[number - 1];
    }

    public static int count() {
        return LEVELS.length;
    }

    /** 1 for L1 to 10 for L10, as in the metrics. */
    public int number() {
        return ordinal() + 1;
    }

    public int budgetMs() {
        return budgetMs;
    }

    /** The lower bound of the band, in events per second, inclusive. */
    public double lowerBoundPerSec() {
        return lowerBoundPerSec;
    }

    /** The upper bound of the band, in events per second, exclusive. Positive infinity for the last. */
    public double upperBoundPerSec() {
        return this == L10_MAX ? Double.POSITIVE_INFINITY : LEVELS[ordinal() + 1].lowerBoundPerSec;
    }
}
