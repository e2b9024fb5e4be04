package io.microbatch.connect.upstream.hosted;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Keeps apart the polls of a Debezium task that gives out one event at a time, while events come fast. Reader thread.
 *
 * <p>Where the shortest wait is wanted, such a task has {@code max.batch.size=1}, so that its poll ends with the first
 * event. A reader that is faster than the database's log then waits in every poll, and Debezium's reading thread, which
 * is what a backlog is bound by, wakes it for every event. After a pause of a millisecond there are some tens of events
 * in Debezium's queue, which are taken without waiting.
 *
 * <p>Only for tasks whose poll takes from a queue that somebody else fills: any other would just be slower.
 */
final class PollSpacing {

    /** So soon nobody is woken. */
    private static final long WAITED_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    /** What fewer events a second than 5,000 would gain is less than they would lose. */
    private static final long BUSY_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int SMOOTHING = 16;

    private final boolean applies;
    private long lastNanos;
    private boolean polled;

    /** The usual time between two events; as if none came until some have. */
    private double gapNanos = TimeUnit.SECONDS.toNanos(1);

    private PollSpacing(boolean applies) {
        this.applies = applies;
    }

    /** For a hosted task with these settings. */
    static PollSpacing of(Class<?> taskClass, Map<String, String> settings) {
        String maxBatch = settings.getOrDefault(HostedDefaults.MAX_BATCH, "").trim();
        return new PollSpacing(
                HostedClasses.isDebeziumTask(taskClass) && maxBatch.equals(HostedDefaults.MAX_BATCH_FOR_LATENCY));
    }

    /**
     * How long to leave the task alone after a poll that has brought something, in nanoseconds.
     *
     * @param beganNanos when it began, on one monotonic clock
     * @param endedNanos when it ended
     */
    long pauseNanosAfter(long beganNanos, long endedNanos) {
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
