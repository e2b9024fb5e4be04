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
    private final ControlSettings settings;
    private final Objective objective;

    /** The upper limit of maximum records (N) at a level of which nothing is learned. */
    private volatile int firstEvents;

    /** Starts every level with the first setting for its budget, within the operator's limits. */
    public LevelTargets(ControlSettings settings, Objective objective) {
        this.settings = settings;
        this.objective = objective;
        this.firstEvents = settings.firstBySize() ? BatchSetting.firstHostedEvents(0) : settings.maxEvents();
        for (PressureLevel level : PressureLevel.values()) {
            put(level, BatchTarget.first(first(level), false));
        }
    }

    /** The setting of a level of which nothing is learned. */
    public BatchSetting first(PressureLevel level) {
        BatchSetting first = BatchSetting.first(settings.budgets().budgetMs(level), objective);
        // The first N is small because each event is many objects. Packed events are not, and maximum bytes (B)
        // limits them.
        return settings.packed()
                ? new BatchSetting(settings.maxEvents(), first.lingerNanos())
                : first.atMost(Math.min(settings.maxEvents(), firstEvents));
    }

    /**
     * Limits maximum records (N) at the levels of which nothing is learned. If the calibration thread writes an older
     * limit at the same time, that one stays until the next
     * window of the level ends. Task thread.
     */
    void limitFirst(int maxEvents) {
        firstEvents = maxEvents;
        for (PressureLevel level : PressureLevel.values()) {
            BatchTarget target = of(level);
            if (target.first()) {
                BatchTarget limited = BatchTarget.first(first(level), target.exploring());
                // Not over a target that was learned meanwhile.
                targets.compareAndSet(level.ordinal(), target, limited);
            }
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
