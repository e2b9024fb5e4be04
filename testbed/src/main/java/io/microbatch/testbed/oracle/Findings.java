package io.microbatch.testbed.oracle;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the oracle found, over all source partitions of a stream.
 *
 * @param events how many there should be
 * @param lost events that are not there, those behind the last one that is there included
 * @param lostTail how many of the lost ones lie behind the last one of their source partition that is there
 * @param duplicated records beyond the first of their event
 * @param reordered first records of an event behind one of a later event of their source partition
 * @param phantom records that carry an event that never was
 * @param corrupt records that do not carry what was sent
 * @param windowEvents the longest stretch of a source partition that came twice, in events
 * @param windowMs the same as the time that Kafka's log had taken for it the first time; 0 if times are not kept
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

    /** Nothing expected, nothing seen. */
    public static final Findings NONE = new Findings(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

    /** Every event once, unaltered and in order, and nothing else. */
    public boolean isExactlyOnce() {
        return isComplete() && duplicated == 0;
    }

    /** Every event at least once and unaltered, its first record in order, and no more repeated than the window. */
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

    /** The sum of two streams, with the longer of both windows and without the unsound partitions. */
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

    /** The counts, as results have them. */
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
