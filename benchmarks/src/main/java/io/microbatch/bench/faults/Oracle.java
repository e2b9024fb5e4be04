package io.microbatch.bench.faults;

import java.util.ArrayList;
import java.util.List;

/**
 * Says what became of a stream whose beginning and end are known. It is given every record that a consumer saw, those
 * of one source partition in the order of the topic, and knows nothing else: no broker, no offsets, no connector.
 *
 * <p>What is lost is decided against the known end and not against the highest sequence that was seen: a lost tail
 * leaves no gap. A record that repeats an event is a duplicate wherever it stands; a record that is the first of its
 * event must stand behind the first records of all earlier events, or it is reordered. So a replay after a failure,
 * which repeats a stretch in its order, counts as duplicates only, and two events that changed places count as one
 * reordered. Every violation is counted once, and none can make up for another.
 *
 * <p>One thread.
 */
public final class Oracle {

    private final long run;
    private final Lane[] lanes;
    private final List<Violation> violations = new ArrayList<>();
    private long phantom;
    private long corrupt;

    /** What a violation is. */
    public enum Kind {
        LOST,
        DUPLICATED,
        REORDERED,
        PHANTOM,
        CORRUPT
    }

    /**
     * One violation.
     *
     * @param ms when Kafka's log took the record that shows it; for a lost event, the one before it in its source
     *     partition
     */
    public record Violation(Kind kind, long ms) {}

    /** Expects of each source partition, from 0, so many events of this run. */
    public Oracle(long run, long... eventsPerPartition) {
        this.run = run;
        this.lanes = new Lane[eventsPerPartition.length];
        for (int partition = 0; partition < lanes.length; partition++) {
            lanes[partition] = new Lane(Math.toIntExact(eventsPerPartition[partition]));
        }
    }

    /**
     * A record that was read.
     *
     * @param event what it says, null if it does not carry what was sent
     * @param appendedMs when Kafka's log took it
     */
    public void saw(Event event, long appendedMs) {
        if (event == null) {
            corrupt++;
            violations.add(new Violation(Kind.CORRUPT, appendedMs));
        } else if (event.run() != run
                || event.partition() < 0
                || event.partition() >= lanes.length
                || event.sequence() < 0
                || event.sequence() >= lanes[event.partition()].firstSeenMs.length) {
            phantom++;
            violations.add(new Violation(Kind.PHANTOM, appendedMs));
        } else {
            lanes[event.partition()].saw((int) event.sequence(), appendedMs, violations);
        }
    }

    /** Whether every event was seen at least once. */
    public boolean isComplete() {
        for (Lane lane : lanes) {
            if (lane.seen < lane.firstSeenMs.length) {
                return false;
            }
        }
        return true;
    }

    /** What there is to say about what was seen until now. */
    public Findings findings() {
        Findings sum = new Findings(0, 0, 0, 0, 0, phantom, corrupt, 0, 0, List.of());
        List<Integer> unsound = new ArrayList<>();
        for (int partition = 0; partition < lanes.length; partition++) {
            Findings found = lanes[partition].findings();
            if (!found.isExactlyOnce()) {
                unsound.add(partition);
            }
            sum = sum.plus(found);
        }
        return new Findings(
                sum.events(),
                sum.lost(),
                sum.lostTail(),
                sum.duplicated(),
                sum.reordered(),
                sum.phantom(),
                sum.corrupt(),
                sum.windowEvents(),
                sum.windowMs(),
                List.copyOf(unsound));
    }

    /** Every violation, with the moment that it belongs to, in no order. */
    public List<Violation> violations() {
        List<Violation> all = new ArrayList<>(violations);
        for (Lane lane : lanes) {
            long beforeMs = 0;
            for (long ms : lane.firstSeenMs) {
                if (ms == Lane.NEVER) {
                    all.add(new Violation(Kind.LOST, beforeMs));
                } else {
                    beforeMs = ms;
                }
            }
        }
        return all;
    }

    /** One source partition. */
    private static final class Lane {

        private static final long NEVER = Long.MIN_VALUE;

        /** A standstill longer than this adds no more to the window: nothing is delivered that could be doubled. */
        private static final long LONGEST_STANDSTILL_MS = 1_000;

        /** When Kafka took the first record of each event. */
        private final long[] firstSeenMs;

        /** The same on a clock that stops while nothing comes. */
        private final long[] firstSeenRunningMs;

        private int seen;
        private int highest = -1;
        private long newestRunningMs;
        private long lastMs = NEVER;
        private long runningMs;
        private long duplicated;
        private long reordered;
        private long windowEvents;
        private long windowMs;

        Lane(int events) {
            firstSeenMs = new long[events];
            java.util.Arrays.fill(firstSeenMs, NEVER);
            firstSeenRunningMs = new long[events];
        }

        void saw(int sequence, long appendedMs, List<Violation> violations) {
            if (lastMs != NEVER) {
                runningMs += Math.max(0, Math.min(LONGEST_STANDSTILL_MS, appendedMs - lastMs));
            }
            lastMs = appendedMs;
            if (firstSeenMs[sequence] != NEVER) {
                duplicated++;
                violations.add(new Violation(Kind.DUPLICATED, appendedMs));
                // Back from the newest event: what had been acknowledged of it and was forgotten.
                windowEvents = Math.max(windowEvents, highest - sequence + 1L);
                windowMs = Math.max(windowMs, newestRunningMs - firstSeenRunningMs[sequence]);
                return;
            }
            firstSeenMs[sequence] = appendedMs;
            firstSeenRunningMs[sequence] = runningMs;
            seen++;
            if (sequence < highest) {
                reordered++;
                violations.add(new Violation(Kind.REORDERED, appendedMs));
            } else {
                highest = sequence;
                newestRunningMs = runningMs;
            }
        }

        Findings findings() {
            long lost = firstSeenMs.length - (long) seen;
            long tail = firstSeenMs.length - 1L - highest;
            return new Findings(
                    firstSeenMs.length, lost, tail, duplicated, reordered, 0, 0, windowEvents, windowMs, List.of());
        }
    }
}
