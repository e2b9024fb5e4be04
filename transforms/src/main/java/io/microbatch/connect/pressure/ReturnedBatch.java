package io.microbatch.connect.pressure;

/**
 * What the records of one batch have in common: one object for all of them, so that a record that knows its batch is no
 * larger for it. A record is an event, or a bulk record of many.
 *
 * <p>Threads: built and completed by the task thread before it hands the batch to Connect; then read by whoever has been
 * given one of its records.
 */
public final class ReturnedBatch {

    private final long sequence;
    private final PressureLevel level;
    private final long lingerNanos;
    private int sizeRecords;
    private int oldestPosition;
    private long returnedNanos;
    private long returnedEpochMs;

    /**
     * A batch that is being put together.
     *
     * @param sequence its number among the task's batches, from 0
     * @param level the pressure level in force
     * @param lingerNanos T in force
     */
    public ReturnedBatch(long sequence, PressureLevel level, long lingerNanos) {
        this.sequence = sequence;
        this.level = level;
        this.lingerNanos = lingerNanos;
    }

    /**
     * Nothing is added to the batch any more.
     *
     * @param sizeRecords how many records it has
     * @param oldestPosition the position of the record that arrived first
     * @param returnedNanos when it was put together, on the task's monotonic clock
     * @param returnedEpochMs the same moment in milliseconds since 1970
     */
    public void complete(int sizeRecords, int oldestPosition, long returnedNanos, long returnedEpochMs) {
        this.sizeRecords = sizeRecords;
        this.oldestPosition = oldestPosition;
        this.returnedNanos = returnedNanos;
        this.returnedEpochMs = returnedEpochMs;
    }

    /** Its number among the task's batches, from 0; a task that starts anew begins anew. */
    public long sequence() {
        return sequence;
    }

    /** The pressure level in force when it was put together. */
    public PressureLevel level() {
        return level;
    }

    /** T in force when it was put together. */
    public long lingerNanos() {
        return lingerNanos;
    }

    /** How many records it has. */
    public int sizeRecords() {
        return sizeRecords;
    }

    /** The position, from 0, of the record that arrived first. */
    public int oldestPosition() {
        return oldestPosition;
    }

    /** When it was put together, on the task's monotonic clock. */
    public long returnedNanos() {
        return returnedNanos;
    }

    /** A moment of the task's monotonic clock in milliseconds since 1970. */
    public long epochMs(long nanos) {
        return returnedEpochMs - Math.floorDiv(returnedNanos - nanos, 1_000_000L);
    }
}
