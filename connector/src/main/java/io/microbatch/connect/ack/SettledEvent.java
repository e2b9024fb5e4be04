package io.microbatch.connect.ack;

import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * An event of the ledger. {@link #isSettled}, {@link #events}, {@link #heldBytes} and {@link #isReduced} may be called
 * at any time, the other methods after the event was settled. Any thread.
 */
public interface SettledEvent {

    /** Whether Connect is done with it: it was acknowledged, filtered, failed and was tolerated, or discarded. */
    boolean isSettled();

    /** The number of events: more than one for a bulk record. */
    int events();

    /** The estimated bytes of heap that it keeps in use. */
    int heldBytes();

    /** Whether it is already reduced to the part that must be kept. */
    boolean isReduced();

    /** The upstream's own record or, if that was not kept, a record with its source partition and offset. */
    SourceRecord origin();

    /** The place in Kafka, or null if Kafka has no event or a dead letter in its place, or the place was not kept. */
    RecordMetadata metadata();

    boolean isDelivered();

    /** Whether the producer has discarded it unsent. Connect does not tell the connector of such an event. */
    boolean isDiscarded();

    /** The time at which the event was settled, on the task's monotonic clock. */
    long settledNanos();

    Map<String, ?> sourcePartition();

    /** The source offset from which reading continues after the event, or null. */
    Map<String, ?> sourceOffset();
}
