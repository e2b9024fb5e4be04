package io.microbatch.connect.pressure;

/**
 * Selects the pressure level of a rate with hysteresis, so that a rate at the edge of two bands does not flap between
 * them. One thread.
 *
 * <p>The level rises immediately when the rate reaches {@value #UP_RATIO} times the band's upper bound: a late rise
 * costs throughput and fills buffers. It falls only after the rate has been below {@value #DOWN_RATIO} of the band's
 * lower bound for {@value #DWELL_MS} ms: an early fall ends a batch that was about to fill.
 */
public final class LevelSelector {

    static final double UP_RATIO = 1.1;
    static final double DOWN_RATIO = 0.85;
    static final long DWELL_MS = 500;

    private PressureLevel level = PressureLevel.L1_REALTIME;
    private boolean falling;
    private long fallingSinceNanos;

    /** The level for this rate in events per second at this time. */
    public PressureLevel select(double perSec, long nowNanos) {
        if (perSec >= level.upperBoundPerSec() * UP_RATIO) {
            level = PressureLevel.ofRate(perSec / UP_RATIO);
            falling = false;
        } else if (perSec < level.lowerBoundPerSec() * DOWN_RATIO) {
            if (!falling) {
                falling = true;
                fallingSinceNanos = nowNanos;
            } else if (nowNanos - fallingSinceNanos >= DWELL_MS * 1_000_000) {
                level = PressureLevel.ofRate(perSec / DOWN_RATIO);
                falling = false;
            }
        } else {
            falling = false;
        }
        return level;
    }

    /** The level of the last selection, L1 before the first. */
    public PressureLevel level() {
        return level;
    }
}
