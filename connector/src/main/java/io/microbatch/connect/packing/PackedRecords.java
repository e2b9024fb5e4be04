package io.microbatch.connect.packing;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/**
 * Bulk records of events whose key and value are bytes. Task thread.
 *
 * @param stripes the stripes with the buffered events
 * @param maxRecordBytes the maximum bytes of a bulk record, except for a single larger event
 * @param unpackedTopic the topic whose records are not packed, or null
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
