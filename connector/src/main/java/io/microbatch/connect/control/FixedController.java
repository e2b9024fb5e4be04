package io.microbatch.connect.control;

import io.microbatch.connect.pressure.LevelSelector;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * Uses maximum records (N), maximum bytes (B) and linger (T) as configured at every pressure. It still selects the
 * level, so that the metrics show what the adaptive controller would have used. Task thread.
 */
public final class FixedController implements Controller {

    private final LevelSelector levels = new LevelSelector();
    private final ControlSettings settings;
    private final BatchTarget target;
    private Decision decision;

    /** Takes the setting from the operator's settings. */
    public FixedController(ControlSettings settings) {
        this.settings = settings;
        this.target = BatchTarget.best(settings.maxEvents(), settings.fixedLingerNanos());
    }

    @Override
    public Decision decide(long nowNanos, double arrivalsPerSec) {
        PressureLevel level = levels.select(arrivalsPerSec, nowNanos);
        if (decision == null || decision.level() != level) {
            decision = new Decision(
                    target,
                    level,
                    settings.budgets().budgetMs(level),
                    true,
                    target.setting(),
                    target.setting().maxEvents(),
                    settings.maxBytes(),
                    Decision.NEVER_QUIET_NANOS,
                    0,
                    Decision.WHOLE_STRIPE);
        }
        return decision;
    }

    @Override
    public void acknowledged(
            long nowNanos, long delayNanos, long pausedNanos, long worstLatencyNanos, boolean transactional) {
        // The setting is fixed.
    }
}
