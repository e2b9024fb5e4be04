package io.microbatch.bench.load;

import java.util.BitSet;

/** Whether every event of a source partition came, once and in order. One thread. */
public final class SequenceCheck {

    private final int events;
    private final BitSet seen;
    private int next;
    private long duplicated;
    private long reordered;
    private long foreign;

    /** Expects the sequences 0 to {@code events - 1}. */
    public SequenceCheck(int events) {
        this.events = events;
        this.seen = new BitSet(events);
    }

    /** The next event that was read. */
    public void add(long sequence) {
        if (sequence < 0 || sequence >= events) {
            foreign++;
            return;
        }
        int number = (int) sequence;
        if (seen.get(number)) {
            duplicated++;
            return;
        }
        seen.set(number);
        if (number < next) {
            reordered++;
        } else {
            next = number + 1;
        }
    }

    /** Whether the last one has come. */
    public boolean hasEnded() {
        return next >= events;
    }

    /** Events that did not come, the tail included. */
    public long lost() {
        return events - (long) seen.cardinality();
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
        return lost() == 0 && duplicated == 0 && reordered == 0 && foreign == 0;
    }
}
