package io.microbatch.connect.control;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The target in force of each level: the calibration thread writes what it learns, the task thread reads it at every
 * poll. Any thread.
 */
public final class LevelTargets {

    private final AtomicReferenceArray<BatchTarget> targets = new AtomicReferenceArray<>(PressureLevel.count());

    /** Starts every level with the first setting for its budget, within the operator's limits. */
    public LevelTargets(ControlSettings settings, Objective objective) {
        for (PressureLevel level : PressureLevel.values()) {
            BatchSetting first = BatchSetting.first(settings.budgets().budgetMs(level), objective);
            // The first N is small because each event is many objects. Packed events are not, and maximum bytes (B)
            // limits them.
            int maxEvents =
                    settings.packed() ? settings.maxEvents() : Math.min(settings.firstEvents(), first.maxEvents());
            put(level, BatchTarget.best(maxEvents, first.lingerNanos()));
        }
    }

    /** The target in force. */
    public BatchTarget of(PressureLevel level) {
        return targets.getAcquire(level.ordinal());
    }

    /** Puts a target in force from the next decision on. */
    public void put(PressureLevel level, BatchTarget target) {
        targets.setRelease(level.ordinal(), target);
    }
}
