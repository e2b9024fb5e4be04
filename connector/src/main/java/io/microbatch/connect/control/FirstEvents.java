package io.microbatch.connect.control;

import io.microbatch.connect.pressure.BatchSetting;

/**
 * Maximum records (N) before anything is learned, from the mean size of the events so far. Large events are many
 * objects, and each garbage collection copies all that are in flight. Task thread.
 */
final class FirstEvents {

    /** The number of events after which older ones begin to count half. */
    private static final long HALF_LIFE_EVENTS = 20_000;

    /** A change by a smaller part is not worth the end of an observation window. */
    private static final double MIN_CHANGE = 0.25;

    private final LevelTargets targets;
    private long events;
    private long sizeBytes;
    private int limitEvents;

    /** Nothing is known of the events yet. */
    FirstEvents(LevelTargets targets) {
        this.targets = targets;
        this.limitEvents = BatchSetting.firstHostedEvents(0);
    }

    /** A batch of this size was returned to Connect. */
    void returned(int batchEvents, long batchBytes) {
        events += batchEvents;
        sizeBytes += batchBytes;
        int wanted = BatchSetting.firstHostedEvents((double) sizeBytes / events);
        if (Math.abs(wanted - limitEvents) > MIN_CHANGE * limitEvents) {
            limitEvents = wanted;
            targets.limitFirst(wanted);
        }
        if (events > HALF_LIFE_EVENTS) {
            events /= 2;
            sizeBytes /= 2;
        }
    }
}
