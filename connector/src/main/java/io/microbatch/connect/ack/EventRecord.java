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
 * An event, as the record that Connect gets and with which it acknowledges the event. It may also be a bulk record,
 * whose acknowledgement settles all its events.
 *
 * <p>Equality is identity. An exactly-once worker keeps the records of a transaction in a hash map until it commits.
 * With the value equality of {@link SourceRecord}, two equal events would share one entry, and one of them would never
 * be acknowledged. Identity also saves the deep hash of every record.
 *
 * <p>Threads: a reader thread creates the record and passes it through a stripe to the task thread. Any thread may call
 * {@link #settle}, in any order, even after the task has stopped. The thread that notifies the upstream reads the
 * settled state.
 */
public final class EventRecord extends SourceRecord implements BatchMember, SettledEvent {

    private static final int PENDING = 0;
    private static final int DELIVERED = 1;
    private static final int SKIPPED = 2;
    private static final int DISCARDED = 3;

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

    /** The events of a bulk record, in order. */
    private final transient List<EventRecord> carried;

    /** Whether a dead letter is sent instead of the upstream's own record. */
    private final boolean deadLetter;

    /** Written before the record becomes visible in its stripe. */
    private boolean keptWithNext;

    /** Written before the release of {@link #state} and read after its acquire. */
    private long settledNanos;

    /** Ordered by {@link #state} too. Null unless the upstream's own record was delivered. */
    private transient RecordMetadata metadata;

    /** The batch of this record, or null. Task thread, then the acknowledging thread. */
    private transient ReturnedBatch batch;

    /** The position in the batch, from 0. Task thread, then the acknowledging thread. */
    private int batchPosition;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    /** An event that is sent as the upstream's own record. The parameters are those of the other constructor. */
    public EventRecord(SourceRecord origin, int sizeBytes, long arrivalNanos) {
        this(origin, origin, sizeBytes, arrivalNanos);
    }

    /**
     * An event that is sent with another content than the upstream's own record.
     *
     * @param origin the upstream's own record, with which the upstream is notified
     * @param outgoing the record with the content that Connect gets
     * @param sizeBytes the estimated size of the outgoing record on the heap, in bytes
     * @param arrivalNanos the time of its arrival, on the task's monotonic clock
     */
    public EventRecord(SourceRecord origin, SourceRecord outgoing, int sizeBytes, long arrivalNanos) {
        this(origin, origin, outgoing, sizeBytes, 1, List.of(), false, arrivalNanos);
    }

    /**
     * An event in whose place a dead letter is sent. The parameters are those of the constructor. It has no metadata:
     * an upstream that relates its record to a place in the topic would take the place of the dead letter for it.
     */
    public static EventRecord deadLetter(SourceRecord origin, SourceRecord outgoing, int sizeBytes, long arrivalNanos) {
        return new EventRecord(origin, origin, outgoing, sizeBytes, 1, List.of(), true, arrivalNanos);
    }

    private EventRecord(
            SourceRecord origin,
            SourceRecord place,
            SourceRecord outgoing,
            int sizeBytes,
            int events,
            List<EventRecord> carried,
            boolean deadLetter,
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
        this.deadLetter = deadLetter;
        this.arrivalNanos = arrivalNanos;
    }

    /**
     * An event of an upstream that does not need its own record back. That record is not kept, because the garbage
     * collector copies all objects to which an event in flight refers.
     *
     * @param place a record with the event's source partition and offset
     */
    public static EventRecord withoutOrigin(
            SourceRecord place, SourceRecord outgoing, int sizeBytes, long arrivalNanos) {
        return new EventRecord(null, place, outgoing, sizeBytes, 1, List.of(), false, arrivalNanos);
    }

    /**
     * A bulk record.
     *
     * @param outgoing the record that Connect gets, with the source partition of all events and the last source offset
     * @param carried its events, in order, which are settled with it
     * @param sizeBytes its size in bytes
     * @param arrivalNanos the time at which the oldest event arrived, on the task's monotonic clock
     */
    public static EventRecord bulk(SourceRecord outgoing, List<EventRecord> carried, int sizeBytes, long arrivalNanos) {
        int events = carried.stream().mapToInt(EventRecord::events).sum();
        return new EventRecord(null, outgoing, outgoing, sizeBytes, events, carried, false, arrivalNanos);
    }

    /**
     * The event of a record, also of one that transforms have made of it. Null if the record is none of this
     * connector's, or a transform has made it without the old one.
     */
    public static EventRecord of(SourceRecord record) {
        if (record instanceof EventRecord event) {
            return event;
        }
        return record instanceof TransformedRecord transformed ? transformed.event() : null;
    }

    @Override
    public SourceRecord origin() {
        return origin;
    }

    @Override
    public int events() {
        return events;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /** Of a bulk record also what its events keep, such as their own records before conversion. */
    @Override
    public int heldBytes() {
        if (carried.isEmpty()) {
            return sizeBytes;
        }
        long held = sizeBytes;
        for (EventRecord each : carried) {
            held += each.sizeBytes;
        }
        return (int) Math.min(Integer.MAX_VALUE, held);
    }

    @Override
    public boolean isReduced() {
        return false;
    }

    @Override
    public long arrivalNanos() {
        return arrivalNanos;
    }

    /** The next record of its stripe belongs into the same batch. Reader thread, before this record is visible. */
    public void keepWithNext() {
        keptWithNext = true;
    }

    /** Whether the next record of its stripe belongs into the same batch, whatever its offset is. */
    public boolean isKeptWithNext() {
        return keptWithNext;
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

    /** A transform has dropped it. Task thread. */
    public void dropped() {
        if (batch != null) {
            batch.dropped(batchPosition);
        }
    }

    /** Whether it is the last record of its batch that was not dropped. */
    public boolean endsBatch() {
        return batch != null && batchPosition == batch.lastPosition();
    }

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

    /** Creates the record that a transform sends instead of this one. It keeps the reference to the batch. */
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
     * Connect is done with this record. Only the first call has an effect. Notifies an {@link Awaited} origin first.
     * Any thread.
     *
     * @param metadata the record's place in Kafka; null if it was filtered, or failed and was tolerated
     * @param nowNanos the time now, on the task's monotonic clock
     */
    public void settle(RecordMetadata metadata, long nowNanos) {
        finish(metadata, metadata == null ? SKIPPED : DELIVERED, nowNanos);
    }

    /** The producer has discarded this record with an aborted transaction. As {@link #settle} otherwise. */
    void settleDiscarded(long nowNanos) {
        finish(null, DISCARDED, nowNanos);
    }

    /**
     * An application without Kafka has processed this record. As {@link #settle}, except that a delivered record has no
     * metadata then.
     */
    public void settleProcessed(long nowNanos) {
        finish(null, DELIVERED, nowNanos);
    }

    private void finish(RecordMetadata metadata, int outcome, long nowNanos) {
        if ((int) STATE.getOpaque(this) == PENDING) {
            this.settledNanos = nowNanos;
            if (isOriginKept() && !deadLetter) {
                // It is not read otherwise, and an old-to-young reference costs the collector.
                this.metadata = metadata;
            }
            try {
                if (origin instanceof Awaited awaited) {
                    // Before the release, so that the notification of the upstream finds what this has done.
                    awaited.settled(metadata);
                }
            } finally {
                STATE.setRelease(this, outcome);
            }
            for (EventRecord each : carried) {
                each.finish(metadata, outcome, nowNanos);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isOriginKept() {
        return origin != this;
    }

    @Override
    public RecordMetadata metadata() {
        return metadata;
    }

    @Override
    public boolean isSettled() {
        return (int) STATE.getAcquire(this) != PENDING;
    }

    @Override
    public boolean isDelivered() {
        return (int) STATE.getAcquire(this) == DELIVERED;
    }

    @Override
    public boolean isDiscarded() {
        return (int) STATE.getAcquire(this) == DISCARDED;
    }

    @Override
    public long settledNanos() {
        return settledNanos;
    }

    /** Whether both records have the same source partition and offset. A null offset equals no other. */
    public static boolean sameOffset(SourceRecord a, SourceRecord b) {
        Map<String, ?> offset = a.sourceOffset();
        return offset != null
                && offset.equals(b.sourceOffset())
                && Objects.equals(a.sourcePartition(), b.sourcePartition());
    }

    /** Whether two neighbours of a stripe belong into one batch. */
    public static boolean inseparable(EventRecord last, EventRecord next) {
        return last.keptWithNext || sameOffset(last, next);
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
