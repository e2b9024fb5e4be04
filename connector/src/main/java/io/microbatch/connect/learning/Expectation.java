package io.microbatch.connect.learning;

/**
 * The expected service rate of a level's best setting, and whether the measured one has changed. It holds for one
 * arrival rate: a level covers at least a factor of four, and at a constant linger the service rate follows the arrival
 * rate. One thread.
 */
final class Expectation {

    /** The result of a window. */
    enum Change {
        NONE,
        /** Enough windows in a row fell short: a regression. */
        FELL,
        /** The same number of windows in a row was far better: the broker or the machine has changed. */
        ROSE
    }

    private static final double WEIGHT = 0.2;
    private static final double SHORTFALL = 0.9;
    /** More than noise or a rate within {@link #SAME_RATE} can cause. */
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

    /** Continues where an earlier run ended. */
    Expectation(double perSec, double arrivalsPerSec) {
        this.perSec = perSec;
        this.arrivalsPerSec = arrivalsPerSec;
    }

    /** Exponential moving average of the service rate, events per busy second. */
    double perSec() {
        return perSec;
    }

    /** The arrival rate for which it holds. */
    double arrivalsPerSec() {
        return arrivalsPerSec;
    }

    /**
     * Takes a window of the best setting and returns the change that it makes certain.
     *
     * @param serviceRatePerSec events per busy second
     * @param rate events per second
     * @param whole whether it was a whole window. Two stalls of the machine are a tenth of the busy time of a short one
     *     at a low rate, so that short windows show no regression
     */
    Change check(double serviceRatePerSec, double rate, boolean whole) {
        if (arrivalsPerSec == 0 || !sameRate(rate, arrivalsPerSec)) {
            restart(serviceRatePerSec, rate);
            return Change.NONE;
        }
        // When fewer events arrive, fewer share the cost of a batch: in the worst case in proportion.
        double atThisRate = perSec * Math.min(1, rate / arrivalsPerSec);
        windowsShort = whole && serviceRatePerSec < SHORTFALL * atThisRate ? windowsShort + 1 : 0;
        windowsFarBetter = serviceRatePerSec > FAR_BETTER * perSec ? windowsFarBetter + 1 : 0;
        if (Math.max(windowsShort, windowsFarBetter) >= WINDOWS) {
            Change change = windowsShort > 0 ? Change.FELL : Change.ROSE;
            // The new rate is expected from now on, so that each change is reported once.
            restart(serviceRatePerSec, rate);
            return change;
        }
        if (windowsShort == 0 && windowsFarBetter == 0) {
            perSec += WEIGHT * (serviceRatePerSec - perSec);
            arrivalsPerSec += WEIGHT * (rate - arrivalsPerSec);
        }
        return Change.NONE;
    }

    /** Another setting became the best: nothing is expected of it yet. */
    void forget() {
        restart(0, 0);
    }

    private void restart(double newPerSec, double newArrivalsPerSec) {
        perSec = newPerSec;
        arrivalsPerSec = newArrivalsPerSec;
        windowsShort = 0;
        windowsFarBetter = 0;
    }

    static boolean sameRate(double a, double b) {
        return Math.max(a, b) <= SAME_RATE * Math.min(a, b);
    }
}
