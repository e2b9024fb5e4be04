package io.microbatch.connect.pressure;

/**
 * The arrival rate as a moving average that forgets exponentially, fed with a running total of arrivals. One thread.
 *
 * <p>The weight of an interval grows with its length ({@code 1 - exp(-dt / tau)}), so that the average is the same
 * whether the total is looked at every microsecond or every quarter of a second: the poll loop looks at it at wildly
 * different distances.
 */
public final class ArrivalGauge {

    private static final double NANOS_PER_SEC = 1e9;

    private final double tauNanos;
    private long lastNanos;
    private long lastTotal;
    private double perSec;

    /**
     * Begins with a rate of zero.
     *
     * @param smoothingMs the time constant in milliseconds: after that long, 63 % of a step is seen
     * @param nowNanos the time now, on the clock that {@link #update} will be given
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
     * Takes the running total of arrivals into the average. A clock that stands still or runs backwards changes
     * nothing; the arrivals are counted with the next interval.
     *
     * @return the smoothed rate in events per second
     */
    public double update(long nowNanos, long total) {
        long elapsedNanos = nowNanos - lastNanos;
        if (elapsedNanos > 0) {
            double inInterval = (total - lastTotal) * NANOS_PER_SEC / elapsedNanos;
            double weight = -Math.expm1(-elapsedNanos / tauNanos);
            perSec += weight * (inInterval - perSec);
            lastNanos = nowNanos;
            lastTotal = total;
        }
        return perSec;
    }

    /** The rate at the last update, in events per second. */
    public double perSec() {
        return perSec;
    }
}
