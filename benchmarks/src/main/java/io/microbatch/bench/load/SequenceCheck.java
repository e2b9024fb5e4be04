package io.microbatch.bench.load;

import java.util.BitSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Whether every event of some source partitions came, once and in order. One thread. */
public final class SequenceCheck {

    private final int eventsPerPartition;
    private final BitSet[] seen;
    private final int[] next;
    private int ended;
    private long duplicated;
    private long reordered;
    private long foreign;

    /** Expects the sequences 0 to {@code events - 1} of one source partition. */
    public SequenceCheck(int events) {
        this(1, events);
    }

    /** Expects the sequences 0 to {@code eventsPerPartition - 1} of each source partition. */
    public SequenceCheck(int partitions, int eventsPerPartition) {
        this.eventsPerPartition = eventsPerPartition;
        seen = IntStream.range(0, partitions)
                .mapToObj(partition -> new BitSet(eventsPerPartition))
                .toArray(BitSet[]::new);
        next = new int[partitions];
    }

    /** The next event of the only source partition that was read. */
    public void add(long sequence) {
        add(0, sequence);
    }

    /** The next event that was read. */
    public void add(int partition, long sequence) {
        if (partition < 0 || partition >= seen.length || sequence < 0 || sequence >= eventsPerPartition) {
            foreign++;
            return;
        }
        int number = (int) sequence;
        if (seen[partition].get(number)) {
            duplicated++;
            return;
        }
        seen[partition].set(number);
        if (number < next[partition]) {
            reordered++;
            return;
        }
        next[partition] = number + 1;
        if (next[partition] == eventsPerPartition) {
            ended++;
        }
    }

    /** How many source partitions there are. */
    int partitions() {
        return seen.length;
    }

    /** The sequence behind the highest of a source partition so far. */
    long next(int partition) {
        return next[partition];
    }

    /** Whether the last one of each source partition has come. */
    public boolean hasEnded() {
        return ended == seen.length;
    }

    /** Events that did not come, the tail included. */
    public long lost() {
        return (long) eventsPerPartition * seen.length
                - LongStream.range(0, seen.length)
                        .map(partition -> seen[(int) partition].cardinality())
                        .sum();
    }

    /** Events that came again. */
    public long duplicated() {
        return duplicated;
    }

    /** Events that came behind a later one. */
    public long reordered() {
        return reordered;
    }

    /** Events that nobody sent. */
    public long foreign() {
        return foreign;
    }

    /** All of them, once, in order, and no others. */
    public boolean isVerified() {
        return Promise.EXACT.isKeptBy(this);
    }
}
