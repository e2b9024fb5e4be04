package io.microbatch.connect.control;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The targets in force for each level: the seam between what is learned and what is done. Bootstrap values until a
 * target is put in; read by the task thread at every poll, written from the calibration thread. Any thread.
 */
public final class LevelTargets {

    private final AtomicReferenceArray<BatchTarget> targets;

    /**
     * Every level at the bootstrap target of its budget under the operator's cap.
     *
     * @param lingerRatio the part of a budget that T begins with
     */
    public LevelTargets(ControlSettings settings, double lingerRatio) {
        targets = new AtomicReferenceArray<>(PressureLevel.count());
        for (PressureLevel level : PressureLevel.values()) {
            BatchTarget bootstrap = BatchTarget.bootstrap(settings.budgetMs(level), lingerRatio);
            // Packed events are not the objects for whose sake a first N is small: what bounds a batch is B.
            int firstEvents = settings.packed()
                    ? settings.maxEvents()
                    : Math.min(settings.firstEvents(), bootstrap.batchTargetEvents());
            targets.set(level.ordinal(), BatchTarget.best(firstEvents, bootstrap.lingerNanos()));
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
