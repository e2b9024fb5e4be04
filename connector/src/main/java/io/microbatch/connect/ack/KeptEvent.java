package io.microbatch.connect.ack;

import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The part of a settled event that is kept until the upstream can be notified, while an earlier event is not settled.
 * The record that Connect got is not kept. Immutable; any thread.
 *
 * @param origin the upstream's own record, or a record with its source partition and offset but without key and value
 * @param metadata the place in Kafka; null if Kafka does not have the event, or the place was not kept
 * @param isDelivered whether Kafka has the event
 * @param isDiscarded whether the producer has discarded it unsent
 * @param settledNanos the time at which the event was settled, on the task's monotonic clock
 * @param events the number of events
 * @param heldBytes the estimated size of the kept part, in bytes
 */
record KeptEvent(
        SourceRecord origin,
        RecordMetadata metadata,
        boolean isDelivered,
        boolean isDiscarded,
        long settledNanos,
        int events,
        int heldBytes)
        implements SettledEvent {

    /** The approximate size of a record without key and value, its metadata, this object and their references. */
    private static final int PLACE_BYTES = 256;

    /** For a hosted task that needs its own record back. */
    static SettledEvent withOrigin(EventRecord event) {
        return new KeptEvent(
                event.origin(),
                event.metadata(),
                event.isDelivered(),
                event.isDiscarded(),
                event.settledNanos(),
                event.events(),
                event.heldBytes());
    }

    /** For an upstream that needs only the source partition and offset, or nothing. */
    static SettledEvent withPlace(EventRecord event) {
        SourceRecord place =
                new SourceRecord(event.sourcePartition(), event.sourceOffset(), event.topic(), null, null, null);
        return new KeptEvent(
                place,
                event.metadata(),
                event.isDelivered(),
                event.isDiscarded(),
                event.settledNanos(),
                event.events(),
                PLACE_BYTES);
    }

    @Override
    public boolean isSettled() {
        return true;
    }

    @Override
    public boolean isReduced() {
        return true;
    }

    @Override
    public Map<String, ?> sourcePartition() {
        return origin.sourcePartition();
    }

    @Override
    public Map<String, ?> sourceOffset() {
        return origin.sourceOffset();
    }
}
