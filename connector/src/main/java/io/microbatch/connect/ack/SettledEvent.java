package io.microbatch.connect.ack;

import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * An event as an upstream is notified of it once Connect is done with it. What it answers besides {@link #isSettled},
 * {@link #events}, {@link #heldBytes} and {@link #isReduced} is meant for settled events only. Any thread.
 */
public interface SettledEvent {

    /** Whether Connect is done with it: Kafka has it, or it was filtered, or it failed and that was tolerated. */
    boolean isSettled();

    /** The number of events; several if it is a bulk record. */
    int events();

    /** The estimated bytes that it keeps from the garbage collector. */
    int heldBytes();

    /** Whether it is already no more than what has to be kept. */
    boolean isReduced();

    /** The upstream's own record, or one that stands for the same place upstream if that was not kept. */
    SourceRecord origin();

    /** Where Kafka has the event; null if it does not, or if that was not kept. */
    RecordMetadata metadata();

    /** Whether Kafka has the event. */
    boolean isDelivered();

    /** When the event was settled, on the task's monotonic clock. */
    long settledNanos();

    /** Where the event comes from. */
    Map<String, ?> sourcePartition();

    /** Where reading goes on behind the event; may be null. */
    Map<String, ?> sourceOffset();
}
