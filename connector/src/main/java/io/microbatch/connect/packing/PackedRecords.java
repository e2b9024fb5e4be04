package io.microbatch.connect.packing;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/** Bulk records of events that readers hand over as records whose key and value are bytes. Threads as {@link EventSource}. */
public final class PackedRecords extends EventSource<EventRecord> {

    private final StripeSet<EventRecord> stripes;
    private final int maxRecordBytes;
    private final String unpackedTopic;

    /**
     * Over these stripes.
     *
     * @param maxRecordBytes the most bytes of a bulk record, but for an event that alone is longer
     * @param unpackedTopic whose records stay as they are; null if there is none
     */
    public PackedRecords(StripeSet<EventRecord> stripes, int maxRecordBytes, String unpackedTopic) {
        super(stripes, EventRecord::arrivalNanos);
        this.stripes = stripes;
        this.maxRecordBytes = maxRecordBytes;
        this.unpackedTopic = unpackedTopic;
    }

    @Override
    public void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes) {
        RecordPacker packer = new RecordPacker(maxRecordBytes, unpackedTopic, sink);
        int ignored = stripes.drain(packer, maxEvents, maxBytes, EventRecord::sameOffset);
        packer.end();
    }

    @Override
    protected long sizeRecords() {
        return sizeBytes() / maxRecordBytes + 1;
    }
}
