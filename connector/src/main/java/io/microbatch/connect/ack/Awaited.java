package io.microbatch.connect.ack;

import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * An upstream's own record on whose settlement somebody waits, for example a client for its answer. A source record
 * implements it. It is notified with the settlement of its own event, and not in the order of the events, so that one
 * Kafka partition without a leader does not hold up the others.
 */
public interface Awaited {

    /**
     * Connect is done with the event. Called by the thread that acknowledges, the producer's thread too, perhaps after
     * the task has stopped. So it must not wait, throw or log. It is called once, but must bear a second call.
     *
     * <p>The event counts as settled only after this call. So everything that this call does happens before the
     * reader's {@code settled} for this event and for all later ones.
     *
     * @param metadata the event's place in Kafka; null if Kafka does not have it
     */
    void settled(RecordMetadata metadata);
}
