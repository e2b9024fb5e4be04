package io.microbatch.connect.learning;

import io.microbatch.connect.calibration.LevelBest;
import io.microbatch.connect.control.BatchTarget;

/**
 * A batch target and a linger. Immutable.
 *
 * @param batchTargetEvents N
 * @param lingerMs T, in milliseconds
 */
record Setting(int batchTargetEvents, double lingerMs) {

    private static final double ALIKE = 1.15;
    private static final double NANOS_PER_MS = 1e6;

    static Setting of(BatchTarget target) {
        return new Setting(target.batchTargetEvents(), target.lingerNanos() / NANOS_PER_MS);
    }

    static Setting of(LevelBest best) {
        return new Setting(best.batchTargetEvents(), best.lingerMs());
    }

    /** Whether measuring one is as good as measuring the other. */
    boolean isLike(Setting other) {
        return isLike(batchTargetEvents, other.batchTargetEvents) && isLike(lingerMs, other.lingerMs);
    }

    private static boolean isLike(double a, double b) {
        // Under a tenth of a millisecond there is nothing to tell apart.
        return Math.max(a, b) <= ALIKE * Math.min(a, b) + 0.1;
    }

    BatchTarget target(boolean trial, boolean beyondBudget) {
        return new BatchTarget(batchTargetEvents, (long) (lingerMs * NANOS_PER_MS), trial, beyondBudget);
    }
}
