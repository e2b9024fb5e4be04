package io.microbatch.connect.pressure;

/** An event that knows the batch that it left the task in. */
public interface BatchMember {

    /** The batch; null while the event is in none. */
    ReturnedBatch batch();

    /** Its place in the batch, from 0. */
    int batchPosition();

    /** When it arrived in the task, on the task's monotonic clock. */
    long arrivalNanos();
}
