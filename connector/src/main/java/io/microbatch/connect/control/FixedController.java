package io.microbatch.connect.control;

import io.microbatch.connect.pressure.LevelSelector;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * N, B and T as configured, whatever the pressure: the hand-tuned baseline. The level is still observed, so that the
 * metrics say what the adaptive controller would have looked at. Task thread.
 */
public final class FixedController implements Controller {

    private final LevelSelector levels = new LevelSelector();
    private final ControlSettings settings;
    private Decision decision;

    /** With N, B and T out of the settings. */
    public FixedController(ControlSettings settings) {
        this.settings = settings;
    }

    @Override
    public Decision decide(long nowNanos, double arrivalsPerSec) {
        PressureLevel level = levels.select(arrivalsPerSec, nowNanos);
        if (decision == null || decision.level() != level) {
            decision = new Decision(
                    BatchTarget.best(settings.maxEvents(), settings.fixedLingerNanos()),
                    level,
                    settings.budgetMs(level),
                    true,
                    settings.maxEvents(),
                    settings.maxBytes(),
                    settings.fixedLingerNanos(),
                    Decision.NEVER_QUIET_NANOS,
                    0,
                    Decision.WHOLE_STRIPE);
        }
        return decision;
    }

    @Override
    public void acknowledged(long nowNanos, long delayNanos, long worstLatencyNanos, boolean transactional) {
        // Nothing that is acknowledged changes what is fixed.
    }
}
