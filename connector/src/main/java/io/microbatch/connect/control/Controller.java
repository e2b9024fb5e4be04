package io.microbatch.connect.control;

import io.microbatch.connect.pressure.ArrivalGauge;

/** Turns signals into decisions. Only the task thread calls it; all times are readings of one monotonic clock. */
public interface Controller {

    /**
     * Decides for the next batch. Each poll and each wake-up within a poll calls it. It returns the same instance as
     * long as nothing changed, so that the poll loop allocates nothing.
     *
     * @param nowNanos the time now
     * @param arrivalsPerSec the smoothed arrival rate
     */
    Decision decide(long nowNanos, double arrivalsPerSec);

    /**
     * The same at the rate that a gauge shows, which also knows what the latest arrival added to it.
     *
     * @param arrivals the arrival rate, updated now
     */
    default Decision decide(long nowNanos, ArrivalGauge arrivals) {
        return decide(nowNanos, arrivals.perSec());
    }

    /**
     * A batch was returned to Connect. By default that changes nothing.
     *
     * @param events its events, at least one
     * @param sizeBytes their estimated size, in bytes
     */
    default void returned(int events, long sizeBytes) {}

    /**
     * Kafka has acknowledged a whole batch.
     *
     * @param nowNanos the time of the acknowledgement
     * @param delayNanos from the batch's return out of poll to its acknowledgement
     * @param pausedNanos the part of it in which the task only waited before it sent the offsets
     * @param worstLatencyNanos from the arrival of the batch's oldest event to its acknowledgement
     * @param transactional whether the acknowledgement is a committed transaction of this batch
     */
    void acknowledged(long nowNanos, long delayNanos, long pausedNanos, long worstLatencyNanos, boolean transactional);
}
