package io.microbatch.connect.pressure;

/**
 * The properties that all records of a batch share, in one object, so that each record needs only a reference. A record
 * is an event, or a bulk record of many events.
 *
 * <p>Threads: the task thread creates and completes it before it returns the batch to Connect. After that any thread
 * that has one of the records may read it, and the task thread marks the records that transforms have dropped.
 */
public final class ReturnedBatch {

    private final long sequence;
    private final PressureLevel level;
    private final long lingerNanos;
    private int sizeRecords;
    private volatile int oldestPosition;
    private volatile int lastPosition;
    private long returnedNanos;
    private long returnedEpochMs;

    /** The records from here to {@link #droppedTo} were dropped. Task thread. */
    private int droppedFrom;

    private int droppedTo = -1;

    /**
     * Starts a batch.
     *
     * @param sequence its number among the task's batches, from 0
     * @param level the pressure level in force
     * @param lingerNanos linger (T) in force
     */
    public ReturnedBatch(long sequence, PressureLevel level, long lingerNanos) {
        this.sequence = sequence;
        this.level = level;
        this.lingerNanos = lingerNanos;
    }

    /**
     * Completes the batch: no record is added any more.
     *
     * @param sizeRecords the number of its records
     * @param oldestPosition the position of the record that arrived first
     * @param returnedNanos the time of its completion, on the task's monotonic clock
     * @param returnedEpochMs the same moment in milliseconds since 1970
     */
    public void complete(int sizeRecords, int oldestPosition, long returnedNanos, long returnedEpochMs) {
        this.sizeRecords = sizeRecords;
        this.oldestPosition = oldestPosition;
        this.lastPosition = sizeRecords - 1;
        this.returnedNanos = returnedNanos;
        this.returnedEpochMs = returnedEpochMs;
    }

    /**
     * A transform has dropped a record. Connect says so in the order of the batch, and before it says which records
     * were delivered, unless the producer was faster than the transforms. Task thread.
     */
    public void dropped(int position) {
        if (position != droppedTo + 1) {
            droppedFrom = position;
        }
        droppedTo = position;
        if (position == sizeRecords - 1) {
            lastPosition = droppedFrom - 1;
        }
        if (position == oldestPosition) {
            oldestPosition = position + 1;
        }
    }

    /** Its number among the task's batches, from 0. A restarted task starts again at 0. */
    public long sequence() {
        return sequence;
    }

    public PressureLevel level() {
        return level;
    }

    public long lingerNanos() {
        return lingerNanos;
    }

    public int sizeRecords() {
        return sizeRecords;
    }

    /** The position of the record that arrived first, or of the next one that was not dropped. */
    public int oldestPosition() {
        return oldestPosition;
    }

    /** The position of the last record that was not dropped, -1 if there is none. */
    public int lastPosition() {
        return lastPosition;
    }

    public long returnedNanos() {
        return returnedNanos;
    }

    /** Converts a time of the task's monotonic clock to milliseconds since 1970. */
    public long epochMs(long nanos) {
        return returnedEpochMs - Math.floorDiv(returnedNanos - nanos, 1_000_000L);
    }
}
