package io.microbatch.testbed.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Decides whether a stream with a known beginning and end was delivered. Its input is every record that a consumer
 * read, with those of one source partition in the order of the topic. It uses no broker, no offsets and no connector.
 *
 * <p>Loss is decided against the known end instead of the highest sequence: a lost tail leaves no gap. A record that
 * repeats an event is a duplicate at any place. A first record that comes after a first record of a later event is
 * reordered. So a replay after a failure, which repeats a stretch in order, counts as duplicates only, and two swapped
 * events count as one reordered event. Every violation is counted once, and none compensates for another.
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

    /** The kinds of violations. */
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
     * @param ms the append time of the record that shows it; of a lost event, that of the event before it in its source
     *     partition
     */
    public record Violation(Kind kind, long ms) {}

    /** Expects this number of events of this run in each source partition, from sequence 0. Keeps no times. */
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

    /**
     * As the constructor, with every violation and the longest repeated stretch in time. 16 bytes per expected event.
     */
    public static Oracle timed(long run, long... eventsPerPartition) {
        return new Oracle(run, true, eventsPerPartition);
    }

    /** Expects the same number of events in each source partition, of any run. Keeps no times. */
    public static Oracle even(int partitions, int eventsPerPartition) {
        long[] events = new long[partitions];
        Arrays.fill(events, eventsPerPartition);
        return new Oracle(0, events);
    }

    /**
     * Adds a record.
     *
     * @param event its event, or null if the record is corrupt
     * @param appendedMs the append time in Kafka's log
     */
    public void saw(Event event, long appendedMs) {
        if (event == null) {
            corrupt++;
            note(Kind.CORRUPT, appendedMs);
        } else {
            saw(event.run() == run ? event.partition() : NO_PARTITION, event.sequence(), appendedMs);
        }
    }

    /** Adds an event, which counts as one of this run. */
    public void saw(int partition, long sequence) {
        saw(partition, sequence, 0);
    }

    /** Adds a corrupt record. */
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

    /** The number of source partitions. */
    public int partitions() {
        return lanes.length;
    }

    /** The sequence after the highest one of a source partition so far. */
    public long next(int partition) {
        return lanes[partition].highest + 1L;
    }

    /** Whether every event was seen at least once. */
    public boolean isComplete() {
        return incomplete().isEmpty();
    }

    /** The source partitions of which an event was not seen. */
    public List<Integer> incomplete() {
        List<Integer> incomplete = new ArrayList<>();
        for (int partition = 0; partition < lanes.length; partition++) {
            if (lanes[partition].seen.cardinality() < lanes[partition].events) {
                incomplete.add(partition);
            }
        }
        return incomplete;
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

    /** The result so far. */
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

    /** Every violation with its time, in no order. Empty if times are not kept. */
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
        /** Null if times are not kept. */
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

        /** Adds an event. Returns its violation, or null. */
        Kind saw(int sequence, long appendedMs) {
            if (times != null) {
                times.tick(appendedMs);
            }
            if (seen.get(sequence)) {
                duplicated++;
                // The events from this one to the newest, which were acknowledged and are repeated.
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

    /** The arrival times of the events of a source partition. */
    private static final class Times {

        private static final long NEVER = Long.MIN_VALUE;
        /** The maximum that a standstill adds to the window, because nothing is delivered during it. */
        private static final long LONGEST_STANDSTILL_MS = 1_000;

        /** The append time of the first record of each event. */
        private final long[] firstMs;
        /** The same on a clock that stops during a standstill. */
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
