package io.microbatch.connect.packing;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/**
 * Bulk records of events whose key and value are bytes. Threads as {@link EventSource}.
 *
 * @param stripes what buffers the events
 * @param maxRecordBytes the most bytes of a bulk record, but for an event that alone is longer
 * @param unpackedTopic the topic whose records stay as they are; null if there is none
 */
public record PackedRecords(StripeSet<EventRecord> stripes, int maxRecordBytes, String unpackedTopic)
        implements EventSource {

    @Override
    public void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes) {
        RecordPacker packer = new RecordPacker(maxRecordBytes, unpackedTopic, sink);
        int ignored = stripes.drain(packer, maxEvents, maxBytes, EventRecord::sameOffset);
        packer.end();
    }

    @Override
    public long sizeRecords() {
        return stripes.sizeBytes() / maxRecordBytes + 1;
    }
}
