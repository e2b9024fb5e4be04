package io.microbatch.connect.upstream.hosted.debezium;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Pauses between the polls of a Debezium task that returns one event at a time, while events come fast. Reader thread.
 *
 * <p>For the objective latency such a task has {@code max.batch.size=1}, so that its poll ends with the first event. A
 * reader that is faster than the database's log then waits in every poll. Debezium's own thread, which limits how fast
 * a backlog is read, has to wake it for every event. After a pause of a millisecond some tens of events are in
 * Debezium's queue, and the reader takes them without waiting.
 *
 * <p>Only Debezium's tasks are spaced: their polls take from a queue that another thread fills. Any other task would
 * only become slower.
 */
public final class PollSpacing {

    /** The minimum length of a poll that has waited. */
    private static final long WAITED_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /** Below 5,000 events a second, the pause costs more latency than it saves work. */
    private static final long BUSY_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int SMOOTHING = 16;

    private final boolean applies;
    private long lastNanos;
    private boolean polled;

    /** The smoothed time between two events. The first value stands for rare events. */
    private double gapNanos = TimeUnit.SECONDS.toNanos(1);

    private PollSpacing(boolean applies) {
        this.applies = applies;
    }

    /** Creates the spacing of a hosted task with these settings. */
    public static PollSpacing of(Class<?> taskClass, Map<String, String> settings) {
        String maxBatch = settings.getOrDefault(DebeziumDefaults.MAX_BATCH, "").trim();
        return new PollSpacing(Debezium.isTask(taskClass) && maxBatch.equals(DebeziumDefaults.MAX_BATCH_FOR_LATENCY));
    }

    /** The pause after a poll that has returned records. All times are in nanoseconds, on one monotonic clock. */
    public long pauseNanosAfter(long beganNanos, long endedNanos) {
        if (!applies) {
            return 0;
        }
        if (polled) {
            gapNanos += (endedNanos - lastNanos - gapNanos) / SMOOTHING;
        }
        polled = true;
        lastNanos = endedNanos;
        return gapNanos < BUSY_GAP_NANOS && endedNanos - beganNanos >= WAITED_NANOS ? PAUSE_NANOS : 0;
    }
}
