package io.microbatch.connect.learning;

/**
 * The throughput that the best setting of a level is expected to have, and whether it has become another. Holds for a
 * rate: a level is a band of a factor of four and more, and at a constant linger the capacity goes with the rate. One
 * thread.
 */
final class Expectation {

    /** What a window says of the expectation. */
    enum Change {
        NONE,
        /** The windows in a row that make a regression certain. */
        FELL,
        /** As many that show a broker or a machine which is not the one that was learned. */
        ROSE
    }

    private static final double WEIGHT = 0.2;
    private static final double SHORTFALL = 0.9;
    /** More than a rate within {@link #SAME_RATE} and noise can do. */
    private static final double FAR_BETTER = 1.5;

    private static final int WINDOWS = 2;
    private static final double SAME_RATE = 1.2;

    private double perSec;
    private double arrivalsPerSec;
    private int windowsShort;
    private int windowsFarBetter;

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

    /** A window of the best setting; answers what has become certain by it. */
    Change check(double capacityPerSec, double rate) {
        if (arrivalsPerSec == 0 || !sameRate(rate, arrivalsPerSec)) {
            forget();
            perSec = capacityPerSec;
            arrivalsPerSec = rate;
            return Change.NONE;
        }
        // Fewer events share the cost of a batch when fewer arrive: in proportion at the worst.
        double atThisRate = perSec * Math.min(1, rate / arrivalsPerSec);
        windowsShort = capacityPerSec < SHORTFALL * atThisRate ? windowsShort + 1 : 0;
        windowsFarBetter = capacityPerSec > FAR_BETTER * perSec ? windowsFarBetter + 1 : 0;
        if (Math.max(windowsShort, windowsFarBetter) >= WINDOWS) {
            Change change = windowsShort > 0 ? Change.FELL : Change.ROSE;
            // What it has become is what is expected from now on: once is enough to say it.
            forget();
            perSec = capacityPerSec;
            arrivalsPerSec = rate;
            return change;
        }
        if (windowsShort == 0 && windowsFarBetter == 0) {
            perSec += WEIGHT * (capacityPerSec - perSec);
            arrivalsPerSec += WEIGHT * (rate - arrivalsPerSec);
        }
        return Change.NONE;
    }

    /** Another setting became the best: nothing is expected of it yet. */
    void forget() {
        perSec = 0;
        arrivalsPerSec = 0;
        windowsShort = 0;
        windowsFarBetter = 0;
    }

    static boolean sameRate(double a, double b) {
        return Math.max(a, b) <= SAME_RATE * Math.min(a, b);
    }
}
