package io.microbatch.connect.ack;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * An event on its way through the task: the record that Connect gets, and the token that its acknowledgement comes back
 * with. Or many events: then it is a bulk record, and its acknowledgement settles all that it carries.
 *
 * <p>Equality is identity. The exactly-once worker keeps the records of a transaction in a hash map until it commits;
 * with the value equality of {@link SourceRecord}, two equal events would share one entry and one of them would never
 * be acknowledged. Identity also spares the deep hash of every record.
 *
 * <p>Threads: built by a reader thread, handed over through a stripe, then read by the task thread; {@link #settle} may
 * be called from any thread, in any order, even after the task has stopped; the settled state is read by
 * the thread that notifies the upstream.
 */
public final class EventRecord extends SourceRecord implements BatchMember, SettledEvent {

    private static final int PENDING = 0;
    private static final int DELIVERED = 1;
    private static final int SKIPPED = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(EventRecord.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final transient SourceRecord origin;
    private final long arrivalNanos;
    private final int sizeBytes;
    private final int events;

    /** The events that this record carries, in order; not serialized, like the origin. */
    private final transient List<EventRecord> carried;

    /** Written before the release of {@link #state}, read after its acquire. */
    private long settledNanos;

    /** Ordered by {@link #state} too; null unless delivered. */
    private transient RecordMetadata metadata;

    /** The batch that this record is in, null for none. Task thread, then the acknowledging one. */
    private transient ReturnedBatch batch;

    /** Its place in the batch, from 0. Task thread, then the acknowledging one. */
    private int batchPosition;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    /**
     * Wraps what an upstream brought.
     *
     * @param origin the upstream's own record, which its acknowledgement is to name
     * @param sizeBytes its estimated size on the heap, in bytes
     * @param arrivalNanos when it arrived, on the task's monotonic clock
     */
    public EventRecord(SourceRecord origin, int sizeBytes, long arrivalNanos) {
        this(origin, origin, sizeBytes, arrivalNanos);
    }

    /**
     * Wraps what stands for an upstream's record: the same place upstream, another content.
     *
     * @param origin the upstream's own record, which its acknowledgement is to name
     * @param outgoing what Connect is to get for it
     * @param sizeBytes the estimated size of that on the heap, in bytes
     * @param arrivalNanos when it arrived, on the task's monotonic clock
     */
    public EventRecord(SourceRecord origin, SourceRecord outgoing, int sizeBytes, long arrivalNanos) {
        this(origin, origin, outgoing, sizeBytes, 1, List.of(), arrivalNanos);
    }

    private EventRecord(
            SourceRecord origin,
            SourceRecord place,
            SourceRecord outgoing,
            int sizeBytes,
            int events,
            List<EventRecord> carried,
            long arrivalNanos) {
        super(
                place.sourcePartition(),
                place.sourceOffset(),
                outgoing.topic(),
                outgoing.kafkaPartition(),
                outgoing.keySchema(),
                outgoing.key(),
                outgoing.valueSchema(),
                outgoing.value(),
                outgoing.timestamp(),
                outgoing.headers());
        this.origin = origin == null ? this : origin;
        this.sizeBytes = sizeBytes;
        this.events = events;
        this.carried = carried;
        this.arrivalNanos = arrivalNanos;
    }

    /**
     * Wraps what stands for a record of an upstream that does not ask for its own record back. That record is not kept,
     * because the garbage collector copies what an event refers to while it is in flight.
     *
     * @param place where the event lies upstream
     */
    public static EventRecord withoutOrigin(
            SourceRecord place, SourceRecord outgoing, int sizeBytes, long arrivalNanos) {
        return new EventRecord(null, place, outgoing, sizeBytes, 1, List.of(), arrivalNanos);
    }

    /**
     * A record of many events.
     *
     * @param outgoing what Connect is to get: with the source partition of all and the source offset of the last
     * @param carried what is settled when this is, in order
     * @param sizeBytes its size in bytes
     * @param arrivalNanos when the oldest of the events arrived, on the task's monotonic clock
     */
    public static EventRecord bulk(SourceRecord outgoing, List<EventRecord> carried, int sizeBytes, long arrivalNanos) {
        int events = carried.stream().mapToInt(EventRecord::events).sum();
        return new EventRecord(null, outgoing, outgoing, sizeBytes, events, carried, arrivalNanos);
    }

    /** The upstream's own record; this one, if that was not kept. */
    @Override
    public SourceRecord origin() {
        return origin;
    }

    /** How many events this record is; several if it is a bulk record. */
    @Override
    public int events() {
        return events;
    }

    /** The estimated size in bytes. */
    public int sizeBytes() {
        return sizeBytes;
    }

    @Override
    public int heldBytes() {
        return sizeBytes;
    }

    @Override
    public boolean isReduced() {
        return false;
    }

    @Override
    public long arrivalNanos() {
        return arrivalNanos;
    }

    /** Puts this record into a batch. Task thread, before the batch is returned. */
    public void joins(ReturnedBatch batch, int position) {
        this.batch = batch;
        this.batchPosition = position;
    }

    @Override
    public ReturnedBatch batch() {
        return batch;
    }

    @Override
    public int batchPosition() {
        return batchPosition;
    }

    /** Whether this record is the last of its batch. */
    public boolean endsBatch() {
        return batch != null && batchPosition == batch.sizeRecords() - 1;
    }

    /** Whether this record is the oldest of its batch. */
    public boolean isOldestOfBatch() {
        return batch != null && batchPosition == batch.oldestPosition();
    }

    @Override
    public SourceRecord newRecord(
            String topic,
            Integer kafkaPartition,
            Schema keySchema,
            Object key,
            Schema valueSchema,
            Object value,
            Long timestamp) {
        return newRecord(
                topic,
                kafkaPartition,
                keySchema,
                key,
                valueSchema,
                value,
                timestamp,
                headers().duplicate());
    }

    /** What a transform makes of this record: it still knows the batch. */
    @Override
    public SourceRecord newRecord(
            String topic,
            Integer kafkaPartition,
            Schema keySchema,
            Object key,
            Schema valueSchema,
            Object value,
            Long timestamp,
            Iterable<Header> headers) {
        return new TransformedRecord(
                this, topic, kafkaPartition, keySchema, key, valueSchema, value, timestamp, headers);
    }

    /**
     * Connect is done with this record. The first call counts. Any thread.
     *
     * @param metadata where Kafka has it; null means filtered, or failed and tolerated, which is never success
     * @param nowNanos when, on the task's monotonic clock
     */
    public void settle(RecordMetadata metadata, long nowNanos) {
        if ((int) STATE.getOpaque(this) == PENDING) {
            this.settledNanos = nowNanos;
            if (isOriginKept()) {
                // Nobody reads it otherwise, and an old-to-young reference costs the collector.
                this.metadata = metadata;
            }
            STATE.setRelease(this, metadata == null ? SKIPPED : DELIVERED);
            for (EventRecord each : carried) {
                each.settle(metadata, nowNanos);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isOriginKept() {
        return origin != this;
    }

    /**
     * Where Kafka has this record, null if it does not or if its origin is not kept; to be asked only of a settled
     * record.
     */
    @Override
    public RecordMetadata metadata() {
        return metadata;
    }

    @Override
    public boolean isSettled() {
        return (int) STATE.getAcquire(this) != PENDING;
    }

    /** Whether Kafka has this record. */
    @Override
    public boolean isDelivered() {
        return (int) STATE.getAcquire(this) == DELIVERED;
    }

    /** When it was settled; to be asked only of a settled record. */
    @Override
    public long settledNanos() {
        return settledNanos;
    }

    /** Whether both stand for the same place upstream. A null offset stands for no place and is never the same. */
    public static boolean sameOffset(SourceRecord a, SourceRecord b) {
        Map<String, ?> offset = a.sourceOffset();
        return offset != null
                && offset.equals(b.sourceOffset())
                && Objects.equals(a.sourcePartition(), b.sourcePartition());
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
