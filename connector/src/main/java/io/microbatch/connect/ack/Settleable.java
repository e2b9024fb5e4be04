package io.microbatch.connect.ack;

import org.apache.kafka.clients.producer.RecordMetadata;

/** What Connect is done with some day: one event, or several that it gets in one record. */
public interface Settleable {

    /**
     * Connect is done with it. The first call counts. Any thread.
     *
     * @param metadata where Kafka has it; null means filtered, or failed and tolerated, which is never success
     * @param nowNanos when, on the task's monotonic clock
     */
    void settle(RecordMetadata metadata, long nowNanos);

    /** Whether Connect is done with it, one way or the other. Any thread. */
    boolean isSettled();

    /** How many events it is. */
    int events();

    /** The estimated bytes that it keeps from the garbage collector, as far as they matter. */
    default int heldBytes() {
        return 0;
    }

    /** Whether it is already no more than what has to be kept. */
    default boolean isReduced() {
        return false;
    }
}
