package io.microbatch.connect.upstream.hosted.debezium;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * When the next poll of a Debezium task is expected to return. Stateless; any thread.
 *
 * <p>A Debezium poll returns when {@code max.batch.size} events are in its queue, or else at the end of {@code
 * poll.interval.ms}. If a poll has waited and was at most half full, the next one is expected to wait too. It returns
 * earlier if the rate doubles meanwhile.
 *
 * <p>Nothing is known of the next poll where few events fill it, nor of the polls of any other task.
 */
public final class NextPoll {

    /** Debezium's own defaults. */
    private static final long POLL_INTERVAL_DEFAULT_MS = 500;

    private static final long MAX_BATCH_DEFAULT = 2_048;

    /** Debezium divides a longer interval, so that Connect gets its thread back. */
    private static final long MAX_POLL_MS = 5_000;

    /** A smaller batch may be full at any time. For the objective latency it has one event. */
    private static final long MIN_BATCH = 32;

    /** A poll that took less than half of its interval was not ended by it. */
    private static final int HALF = 2;

    /** 0 if nothing is known of the next poll. */
    private final long intervalNanos;

    private final long maxBatch;

    private NextPoll(long intervalNanos, long maxBatch) {
        this.intervalNanos = intervalNanos;
        this.maxBatch = maxBatch;
    }

    /** Creates the expectation for a hosted task that has accepted these settings. */
    public static NextPoll of(Class<?> taskClass, Map<String, String> settings) {
        if (!Debezium.isTask(taskClass)) {
            return new NextPoll(0, 0);
        }
        long maxBatch = number(settings, DebeziumDefaults.MAX_BATCH, MAX_BATCH_DEFAULT);
        if (maxBatch < MIN_BATCH) {
            return new NextPoll(0, maxBatch);
        }
        long intervalMs = number(settings, DebeziumDefaults.POLL_INTERVAL, POLL_INTERVAL_DEFAULT_MS);
        return new NextPoll(TimeUnit.MILLISECONDS.toNanos(Math.min(MAX_POLL_MS, intervalMs)), maxBatch);
    }

    private static long number(Map<String, String> settings, String key, long otherwise) {
        String value = settings.get(key);
        return value == null ? otherwise : Long.parseLong(value.trim());
    }

    /**
     * The time before which the next poll is expected to return no event. It is the end of the last poll where nothing
     * is known.
     *
     * @param beganNanos the begin of the last poll, on a monotonic clock
     * @param endedNanos its end
     * @param events the number of events that it returned
     */
    public long returnsAtNanos(long beganNanos, long endedNanos, int events) {
        boolean waited = endedNanos - beganNanos >= intervalNanos / HALF;
        return waited && HALF * events <= maxBatch ? endedNanos + intervalNanos : endedNanos;
    }
}
