package io.microbatch.testbed.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Says what became of a stream whose beginning and end are known. It is given every record that a consumer saw, those
 * of one source partition in the order of the topic, and knows nothing else: no broker, no offsets, no connector.
 *
 * <p>Loss is decided against the known end and not against the highest sequence that was seen: a lost tail leaves no
 * gap. A record that repeats an event is a duplicate wherever it stands. The first record of an event must stand behind
 * the first records of all earlier events, or it is reordered. So a replay after a failure, which repeats a stretch in
 * its order, counts as duplicates only, and two events that changed places count as one reordered. Every violation is
 * counted once, and none can make up for another.
 *
 * <p>One thread.
 */
public final class Oracle {

    private static final int NO_PARTITION = -1;

    private final long run;
    private final boolean timed;
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

    /** Expects, of each source partition, this number of events of this run, from sequence 0. Keeps no times. */
    public Oracle(long run, long... eventsPerPartition) {
        this(run, false, eventsPerPartition);
    }

    private Oracle(long run, boolean timed, long... eventsPerPartition) {
        this.run = run;
        this.timed = timed;
        this.lanes = Arrays.stream(eventsPerPartition)
                .mapToObj(events -> new Lane(Math.toIntExact(events), timed))
                .toArray(Lane[]::new);
    }

    /** The same, with every violation and the longest repeated stretch in time. 16 bytes per expected event. */
    public static Oracle timed(long run, long... eventsPerPartition) {
        return new Oracle(run, true, eventsPerPartition);
    }

    /** Expects the same number of events in each source partition, whatever their run. Keeps no times. */
    public static Oracle even(int partitions, int eventsPerPartition) {
        long[] events = new long[partitions];
        Arrays.fill(events, eventsPerPartition);
        return new Oracle(0, events);
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
            note(Kind.CORRUPT, appendedMs);
        } else {
            saw(event.run() == run ? event.partition() : NO_PARTITION, event.sequence(), appendedMs);
        }
    }

    /** An event that was read. Of this run, whatever it says of its run. */
    public void saw(int partition, long sequence) {
        saw(partition, sequence, 0);
    }

    /** A record that does not carry what was sent. */
    public void sawCorrupt() {
        saw(null, 0);
    }

    private void saw(int partition, long sequence, long appendedMs) {
        if (partition < 0 || partition >= lanes.length || sequence < 0 || sequence >= lanes[partition].events) {
            phantom++;
            note(Kind.PHANTOM, appendedMs);
            return;
        }
        Kind violation = lanes[partition].saw((int) sequence, appendedMs);
        if (violation != null) {
            note(violation, appendedMs);
        }
    }

    private void note(Kind kind, long appendedMs) {
        if (timed) {
            violations.add(new Violation(kind, appendedMs));
        }
    }

    /** How many source partitions there are. */
    public int partitions() {
        return lanes.length;
    }

    /** The sequence behind the highest of a source partition so far. */
    public long next(int partition) {
        return lanes[partition].highest + 1L;
    }

    /** Whether every event was seen at least once. */
    public boolean isComplete() {
        return Arrays.stream(lanes).allMatch(lane -> lane.seen.cardinality() == lane.events);
    }

    /** Whether the last event of each source partition was seen. */
    public boolean hasEnded() {
        for (Lane lane : lanes) {
            if (lane.highest < lane.events - 1) {
                return false;
            }
        }
        return true;
    }

    /** What was found until now. */
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
        return sum.with(unsound);
    }

    /** Every violation, with the moment that it belongs to, in no order. None if times are not kept. */
    public List<Violation> violations() {
        List<Violation> all = new ArrayList<>(violations);
        for (Lane lane : lanes) {
            if (lane.times != null) {
                lane.times.addLost(lane.seen, all);
            }
        }
        return all;
    }

    /** One source partition. */
    private static final class Lane {

        private final int events;
        private final BitSet seen;
        /** Null if none are kept. */
        private final Times times;

        private int highest = -1;
        private long duplicated;
        private long reordered;
        private long windowEvents;

        Lane(int events, boolean timed) {
            this.events = events;
            this.seen = new BitSet(events);
            this.times = timed ? new Times(events) : null;
        }

        /** Answers what is wrong with it. Null if nothing is. */
        Kind saw(int sequence, long appendedMs) {
            if (times != null) {
                times.tick(appendedMs);
            }
            if (seen.get(sequence)) {
                duplicated++;
                // Back from the newest event: what had been acknowledged of it and was forgotten.
                windowEvents = Math.max(windowEvents, highest - sequence + 1L);
                if (times != null) {
                    times.repeated(sequence);
                }
                return Kind.DUPLICATED;
            }
            seen.set(sequence);
            if (times != null) {
                times.first(sequence, appendedMs, sequence > highest);
            }
            if (sequence < highest) {
                reordered++;
                return Kind.REORDERED;
            }
            highest = sequence;
            return null;
        }

        Findings findings() {
            return new Findings(
                    events,
                    events - (long) seen.cardinality(),
                    events - 1L - highest,
                    duplicated,
                    reordered,
                    0,
                    0,
                    windowEvents,
                    times == null ? 0 : times.windowMs,
                    List.of());
        }
    }

    /** When the events of a source partition came. */
    private static final class Times {

        private static final long NEVER = Long.MIN_VALUE;
        /** A standstill longer than this adds no more to the window: nothing is delivered that could be doubled. */
        private static final long LONGEST_STANDSTILL_MS = 1_000;

        /** When Kafka took the first record of each event. */
        private final long[] firstMs;
        /** The same on a clock that stops while nothing comes. */
        private final long[] firstRunningMs;

        private long newestRunningMs;
        private long lastMs = NEVER;
        private long runningMs;
        private long windowMs;

        Times(int events) {
            firstMs = new long[events];
            firstRunningMs = new long[events];
        }

        void tick(long appendedMs) {
            if (lastMs != NEVER) {
                runningMs += Math.max(0, Math.min(LONGEST_STANDSTILL_MS, appendedMs - lastMs));
            }
            lastMs = appendedMs;
        }

        void first(int sequence, long appendedMs, boolean newest) {
            firstMs[sequence] = appendedMs;
            firstRunningMs[sequence] = runningMs;
            newestRunningMs = newest ? runningMs : newestRunningMs;
        }

        void repeated(int sequence) {
            windowMs = Math.max(windowMs, newestRunningMs - firstRunningMs[sequence]);
        }

        void addLost(BitSet seen, List<Violation> violations) {
            long beforeMs = 0;
            for (int sequence = 0; sequence < firstMs.length; sequence++) {
                if (seen.get(sequence)) {
                    beforeMs = firstMs[sequence];
                } else {
                    violations.add(new Violation(Kind.LOST, beforeMs));
                }
            }
        }
    }
}
