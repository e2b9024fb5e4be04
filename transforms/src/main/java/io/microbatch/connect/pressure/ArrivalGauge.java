package io.microbatch.connect.pressure;

/**
 * The arrival rate: an exponential moving average over a running total of arrivals. One thread.
 *
 * <p>The weight of an interval grows with its length ({@code 1 - exp(-dt / tau)}). So the average does not depend on
 * how often it is updated; the poll loop updates it every microsecond or every quarter of a second.
 */
public final class ArrivalGauge {

    private static final double NANOS_PER_SEC = 1e9;

    /** Within this part of the time constant, what an event adds to the average counts as a quarter of an event. */
    private static final double SHORT_PART_OF_TAU = 0.25;

    private final double tauNanos;
    private long lastNanos;
    private long lastTotal;
    private double perSec;

    /** The rate at the last update with arrivals, without what one of them added. */
    private double withoutLastPerSec;

    /**
     * Starts with a rate of zero.
     *
     * @param smoothingMs the time constant in milliseconds: after that time the average shows 63 % of a step
     * @param nowNanos the time now, on the clock of {@link #update}
     * @param total the arrivals so far
     */
    public ArrivalGauge(long smoothingMs, long nowNanos, long total) {
        if (smoothingMs <= 0) {
            throw new IllegalArgumentException("smoothingMs must be positive: " + smoothingMs);
        }
        this.tauNanos = smoothingMs * 1e6;
        this.lastNanos = nowNanos;
        this.lastTotal = total;
    }

    /**
     * Updates the average with the running total of arrivals. If the clock stands still or runs backwards, nothing
     * changes; the next interval counts the arrivals.
     *
     * @return the smoothed rate in events per second
     */
    public double update(long nowNanos, long total) {
        long elapsedNanos = nowNanos - lastNanos;
        if (elapsedNanos > 0) {
            double inInterval = (total - lastTotal) * NANOS_PER_SEC / elapsedNanos;
            double weight = -Math.expm1(-elapsedNanos / tauNanos);
            perSec += weight * (inInterval - perSec);
            if (total != lastTotal) {
                withoutLastPerSec = perSec - weight * NANOS_PER_SEC / elapsedNanos;
            }
            lastNanos = nowNanos;
            lastTotal = total;
        }
        return perSec;
    }

    /** The rate at the last update, in events per second. */
    public double perSec() {
        return perSec;
    }

    /**
     * The rate that shows whether an arrival is followed by another one within this time, in events per second. It is
     * the smoothed rate, or the one without the latest arrival if that is lower. After a silence a single event makes
     * an average of {@code 1 / tau} by itself, which promises half an event within {@code tau / 2}. Within up to
     * {@code tau / 4} that is too little to matter, and the rate is the smoothed one.
     */
    public double followingPerSec(long withinNanos) {
        return withinNanos > SHORT_PART_OF_TAU * tauNanos ? Math.min(perSec, withoutLastPerSec) : perSec;
    }
}
