package io.microbatch.testbed.oracle;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of the oracle over all source partitions of a stream.
 *
 * @param events the number of expected events
 * @param lost events that are missing, including those after the last event that is present
 * @param lostTail lost events after the last event of their source partition that is present
 * @param duplicated records beyond the first of their event
 * @param reordered first records of an event that come after a record of a later event of the source partition
 * @param phantom records of an event that was never made
 * @param corrupt records with another content than their event
 * @param windowEvents the longest repeated stretch of a source partition, in events
 * @param windowMs the duration of that stretch in Kafka's log at its first occurrence; 0 if times are not kept
 * @param unsoundPartitions the source partitions that are not delivered exactly once and in order
 */
public record Findings(
        long events,
        long lost,
        long lostTail,
        long duplicated,
        long reordered,
        long phantom,
        long corrupt,
        long windowEvents,
        long windowMs,
        List<Integer> unsoundPartitions) {

    /** The result of an empty stream. */
    public static final Findings NONE = new Findings(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

    /** Whether every event occurs once, unaltered and in order, and nothing else occurs. */
    public boolean isExactlyOnce() {
        return isComplete() && duplicated == 0;
    }

    /**
     * Whether every event occurs at least once and unaltered, first records are in order, and repetitions fit into the
     * window.
     */
    public boolean isAtLeastOnce(long allowedWindowMs) {
        return isComplete() && windowMs <= allowedWindowMs;
    }

    private boolean isComplete() {
        return lost == 0 && reordered == 0 && foreign() == 0;
    }

    /** Records that are no event of the stream. */
    public long foreign() {
        return phantom + corrupt;
    }

    /** The sum of two streams, with the longer window of both and without the unsound partitions. */
    public Findings plus(Findings other) {
        return new Findings(
                events + other.events,
                lost + other.lost,
                lostTail + other.lostTail,
                duplicated + other.duplicated,
                reordered + other.reordered,
                phantom + other.phantom,
                corrupt + other.corrupt,
                Math.max(windowEvents, other.windowEvents),
                Math.max(windowMs, other.windowMs),
                List.of());
    }

    Findings with(List<Integer> unsound) {
        return new Findings(
                events,
                lost,
                lostTail,
                duplicated,
                reordered,
                phantom,
                corrupt,
                windowEvents,
                windowMs,
                List.copyOf(unsound));
    }

    /** The counts, in the form of result files. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("events", events);
        json.put("lost", lost);
        json.put("lost_tail", lostTail);
        json.put("duplicated", duplicated);
        json.put("reordered", reordered);
        json.put("phantom", phantom);
        json.put("corrupt", corrupt);
        return json;
    }

    @Override
    public String toString() {
        return "lost " + lost + (lostTail > 0 ? " (tail " + lostTail + ")" : "") + ", duplicated " + duplicated
                + ", reordered " + reordered
                + (foreign() > 0 ? ", phantom " + phantom + ", corrupt " + corrupt : "");
    }
}
