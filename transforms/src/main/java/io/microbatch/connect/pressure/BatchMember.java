package io.microbatch.connect.pressure;

/** An event with a reference to the batch that the task returned it in. */
public interface BatchMember {

    /** The batch, or null before the event is in one. */
    ReturnedBatch batch();

    /** Its position in the batch, from 0. */
    int batchPosition();

    /** The time of its arrival in the task, on the task's monotonic clock. */
    long arrivalNanos();
}
