package io.microbatch.connect.pressure;

/**
 * The smoothed rate and the level of something that is looked at only now and then, with a running total of what has
 * passed. One thread at a time.
 *
 * <p>A level falls after half a second under its band, which takes looks to be seen. So a look after a long pause is taken
 * for several, as if what came in between had come evenly: a stream that has dried up is seen as such by the first who
 * asks.
 */
public final class PressureMeter {

    private static final long LONGEST_STEP_NANOS = 100_000_000;
    private static final int MOST_STEPS = 128;

    private final ArrivalGauge gauge;
    private final LevelSelector levels = new LevelSelector();
    private long lastNanos;
    private long lastTotal;

    /**
     * Begins with a rate of zero.
     *
     * @param smoothingMs the time constant in milliseconds
     * @param nowNanos the time now, on the clock that {@link #observe} will be given
     */
    public PressureMeter(long smoothingMs, long nowNanos) {
        gauge = new ArrivalGauge(smoothingMs, nowNanos, 0);
        lastNanos = nowNanos;
    }

    /** Takes the running total of this moment in and answers the level; a clock that stands still changes nothing. */
    public PressureLevel observe(long nowNanos, long total) {
        long elapsedNanos = nowNanos - lastNanos;
        if (elapsedNanos <= 0) {
            return levels.level();
        }
        int steps = (int) Math.min(MOST_STEPS, 1 + (elapsedNanos - 1) / LONGEST_STEP_NANOS);
        long passed = total - lastTotal;
        for (int step = 1; step < steps; step++) {
            look(lastNanos + elapsedNanos / steps * step, lastTotal + (long) ((double) passed * step / steps));
        }
        look(nowNanos, total);
        lastNanos = nowNanos;
        lastTotal = total;
        return levels.level();
    }

    private void look(long atNanos, long total) {
        PressureLevel ignored = levels.select(gauge.update(atNanos, total), atNanos);
    }

    /** The level of the last look; L1 before the first. */
    public PressureLevel level() {
        return levels.level();
    }

    /** The smoothed rate at the last look, per second. */
    public double perSec() {
        return gauge.perSec();
    }
}
