package io.microbatch.connect.learning;

/**
 * The throughput that the best setting of a level is expected to have, and whether it falls short of it. Holds for a
 * rate: a level is a band of a factor of four and more, and at a constant linger the capacity goes with the rate. One
 * thread.
 */
final class Expectation {

    private static final double WEIGHT = 0.2;
    private static final double SHORTFALL = 0.9;
    private static final int WINDOWS = 2;
    private static final double SAME_RATE = 1.2;

    private double perSec;
    private double arrivalsPerSec;
    private int windowsShort;

    Expectation() {
        this(0, 0);
    }

    /** Goes on where an earlier run ended. */
    Expectation(double perSec, double arrivalsPerSec) {
        this.perSec = perSec;
        this.arrivalsPerSec = arrivalsPerSec;
    }

    /** Exponential moving average of the capacity, events per busy second. */
    double perSec() {
        return perSec;
    }

    /** The arrival rate for which it holds. */
    double arrivalsPerSec() {
        return arrivalsPerSec;
    }

    /** A window of the best setting; answers whether it is the one that makes a regression certain. */
    boolean falls(double capacityPerSec, double rate) {
        if (arrivalsPerSec == 0 || !sameRate(rate, arrivalsPerSec)) {
            forget();
            perSec = capacityPerSec;
            arrivalsPerSec = rate;
            return false;
        }
        // Fewer events share the cost of a batch when fewer arrive: in proportion at the worst.
        double atThisRate = perSec * Math.min(1, rate / arrivalsPerSec);
        if (capacityPerSec >= SHORTFALL * atThisRate) {
            windowsShort = 0;
            perSec += WEIGHT * (capacityPerSec - perSec);
            arrivalsPerSec += WEIGHT * (rate - arrivalsPerSec);
            return false;
        }
        if (++windowsShort < WINDOWS) {
            return false;
        }
        // What it has become is what is expected from now on: once is enough to say it.
        windowsShort = 0;
        perSec = capacityPerSec;
        arrivalsPerSec = rate;
        return true;
    }

    /** Another setting became the best: nothing is expected of it yet. */
    void forget() {
        perSec = 0;
        arrivalsPerSec = 0;
        windowsShort = 0;
    }

    static boolean sameRate(double a, double b) {
        return Math.max(a, b) <= SAME_RATE * Math.min(a, b);
    }
}
