package io.microbatch.connect.ack;

import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Events of one source partition, one behind the other, that were handed over as bytes and go into one record together:
 * the place of the last of them is the place of all.
 *
 * <p>Threads: built by a reader thread, handed over through a stripe, then read by the task thread; settled by any.
 */
public final class EventRun implements Settleable {

    private final RunPlace place;
    private final Map<String, ?> sourceOffset;
    private final int events;
    private final long timestampMs;
    private final long arrivalNanos;

    private volatile boolean settled;

    /**
     * A run.
     *
     * @param place where it comes from and goes
     * @param sourceOffset where reading goes on behind the last event
     * @param events how many there are
     * @param timestampMs of the last event, in milliseconds since 1970
     * @param arrivalNanos when the first event arrived, on the task's monotonic clock
     */
    public EventRun(RunPlace place, Map<String, ?> sourceOffset, int events, long timestampMs, long arrivalNanos) {
        this.place = place;
        this.sourceOffset = sourceOffset;
        this.events = events;
        this.timestampMs = timestampMs;
        this.arrivalNanos = arrivalNanos;
    }

    /** Where it comes from and goes. */
    public RunPlace place() {
        return place;
    }

    /** Where reading goes on behind the last event. */
    public Map<String, ?> sourceOffset() {
        return sourceOffset;
    }

    @Override
    public int events() {
        return events;
    }

    /** The timestamp of the last event, in milliseconds since 1970. */
    public long timestampMs() {
        return timestampMs;
    }

    /** When the first event arrived, on the task's monotonic clock. */
    public long arrivalNanos() {
        return arrivalNanos;
    }

    @Override
    public void settle(RecordMetadata metadata, long nowNanos) {
        settled = true;
    }

    @Override
    public boolean isSettled() {
        return settled;
    }
}
