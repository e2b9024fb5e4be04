package io.microbatch.connect.control;

/**
 * Turns signals into decisions. Called by the task thread only; the times are readings of one monotonic clock.
 */
public interface Controller {

    /**
     * Decides for the next batch. Called at every poll and at every wake-up in one: answers the same instance as long
     * as nothing changed, so that the poll loop allocates nothing.
     *
     * @param nowNanos the time now
     * @param arrivalsPerSec the smoothed arrival rate
     */
    Decision decide(long nowNanos, double arrivalsPerSec);

    /**
     * A batch has been acknowledged by Kafka as a whole.
     *
     * @param nowNanos when
     * @param delayNanos from the batch's return out of poll to its acknowledgement
     * @param worstLatencyNanos from the arrival of the batch's oldest event to its acknowledgement
     * @param transactional whether the acknowledgement is a committed transaction of this batch
     */
    void acknowledged(long nowNanos, long delayNanos, long worstLatencyNanos, boolean transactional);
}
