package io.microbatch.connect.pressure;

/**
 * The smoothed rate and the pressure level of a running total that is observed rarely. One thread at a time.
 *
 * <p>A level falls after several observations below its band within half a second. So an observation after a long pause
 * counts as several, as if the arrivals in between had been even: the first observation after a stream has ended shows
 * it.
 */
public final class PressureMeter {

    private static final long MAX_STEP_NANOS = 100_000_000;
    private static final int MAX_STEPS = 128;

    private final ArrivalGauge gauge;
    private final LevelSelector levels = new LevelSelector();
    private long lastNanos;
    private long lastTotal;

    /**
     * Starts with a rate of zero.
     *
     * @param smoothingMs the time constant in milliseconds
     * @param nowNanos the time now, on the clock of {@link #observe}
     */
    public PressureMeter(long smoothingMs, long nowNanos) {
        gauge = new ArrivalGauge(smoothingMs, nowNanos, 0);
        lastNanos = nowNanos;
    }

    /**
     * Updates the rate with the current running total and returns the level. If the clock stands still, nothing
     * changes.
     */
    public PressureLevel observe(long nowNanos, long total) {
        long elapsedNanos = nowNanos - lastNanos;
        if (elapsedNanos <= 0) {
            return levels.level();
        }
        int steps = (int) Math.min(MAX_STEPS, 1 + (elapsedNanos - 1) / MAX_STEP_NANOS);
        long passed = total - lastTotal;
        for (int step = 1; step < steps; step++) {
            update(lastNanos + elapsedNanos / steps * step, lastTotal + (long) ((double) passed * step / steps));
        }
        update(nowNanos, total);
        lastNanos = nowNanos;
        lastTotal = total;
        return levels.level();
    }

    private void update(long atNanos, long total) {
        PressureLevel ignored = levels.select(gauge.update(atNanos, total), atNanos);
    }

    /** The level of the last observation, L1 before the first. */
    public PressureLevel level() {
        return levels.level();
    }

    /** The smoothed rate at the last observation, per second. */
    public double perSec() {
        return gauge.perSec();
    }
}
