package io.microbatch.connect.ack;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.ReturnedBatch;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The record that a transform sends instead of an event. It keeps the reference to the batch through the whole chain of
 * transforms. Connect acknowledges the event itself and not this record. An embedded engine acknowledges this record.
 * The object is as large as a source record, because alignment leaves room for the reference. Task thread.
 */
final class TransformedRecord extends SourceRecord implements BatchMember {

    private final transient EventRecord event;

    TransformedRecord(
            EventRecord event,
            String topic,
            Integer kafkaPartition,
            Schema keySchema,
            Object key,
            Schema valueSchema,
            Object value,
            Long timestamp,
            Iterable<Header> headers) {
        super(
                event.sourcePartition(),
                event.sourceOffset(),
                topic,
                kafkaPartition,
                keySchema,
                key,
                valueSchema,
                value,
                timestamp,
                headers);
        this.event = event;
    }

    EventRecord event() {
        return event;
    }

    @Override
    public ReturnedBatch batch() {
        return event.batch();
    }

    @Override
    public int batchPosition() {
        return event.batchPosition();
    }

    @Override
    public long arrivalNanos() {
        return event.arrivalNanos();
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
        return event.newRecord(topic, kafkaPartition, keySchema, key, valueSchema, value, timestamp, headers);
    }
}
