package io.microbatch.connect.ack;

import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * What is kept of a settled event until the upstream can be told of it, because an earlier event is not settled. The
 * record that Connect got, with its key and value, is not. Immutable; any thread.
 *
 * @param origin the upstream's own record, or one without key and value that stands for the same place upstream
 * @param metadata where Kafka has the event; null if it does not, or if that was not kept
 * @param isDelivered whether Kafka has the event
 * @param settledNanos when the event was settled, on the task's monotonic clock
 * @param events how many events it is
 * @param heldBytes the estimated size of what is kept, in bytes
 */
record KeptEvent(
        SourceRecord origin, RecordMetadata metadata, boolean isDelivered, long settledNanos, int events, int heldBytes)
        implements SettledEvent {

    /** About what a record without key and value, its metadata and this take, and their places in collections. */
    private static final int PLACE_BYTES = 256;

    /** Of a task that is to get its own record back. */
    static SettledEvent withOrigin(EventRecord event) {
        return new KeptEvent(
                event.origin(),
                event.metadata(),
                event.isDelivered(),
                event.settledNanos(),
                event.events(),
                event.heldBytes());
    }

    /** Of a task that asks for the place only, or for nothing. */
    static SettledEvent withPlace(EventRecord event) {
        SourceRecord place =
                new SourceRecord(event.sourcePartition(), event.sourceOffset(), event.topic(), null, null, null);
        return new KeptEvent(
                place, event.metadata(), event.isDelivered(), event.settledNanos(), event.events(), PLACE_BYTES);
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
