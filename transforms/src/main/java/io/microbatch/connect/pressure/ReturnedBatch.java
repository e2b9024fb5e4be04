package io.microbatch.connect.pressure;

/**
 * The properties that all records of a batch share, in one object, so that each record needs only a reference. A record
 * is an event, or a bulk record of many events.
 *
 * <p>Threads: the task thread creates and completes it before it returns the batch to Connect. After that it is
 * immutable and any thread that has one of the records may read it.
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
        this.returnedNanos = returnedNanos;
        this.returnedEpochMs = returnedEpochMs;
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

    public int oldestPosition() {
        return oldestPosition;
    }

    public long returnedNanos() {
        return returnedNanos;
    }

    /** Converts a time of the task's monotonic clock to milliseconds since 1970. */
    public long epochMs(long nanos) {
        return returnedEpochMs - Math.floorDiv(returnedNanos - nanos, 1_000_000L);
    }
}
