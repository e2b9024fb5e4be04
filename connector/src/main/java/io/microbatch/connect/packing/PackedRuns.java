package io.microbatch.connect.packing;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.stripe.ByteStripeSet;
import io.microbatch.connect.stripe.DrainSink;

/** Bulk records of events that readers hand over as bytes. Threads as {@link EventSource}. */
public final class PackedRuns extends EventSource<EventRun> {

    private final ByteStripeSet<EventRun> stripes;
    private final int maxRecordBytes;

    /**
     * Over these stripes.
     *
     * @param maxRecordBytes the most bytes of a bulk record
     */
    public PackedRuns(ByteStripeSet<EventRun> stripes, int maxRecordBytes) {
        super(stripes, EventRun::arrivalNanos);
        this.stripes = stripes;
        this.maxRecordBytes = maxRecordBytes;
    }

    /** The most bytes that a run may have, so that a record is not longer than allowed. */
    public static int maxRunBytes(int maxRecordBytes) {
        return maxRecordBytes - RunPacker.WRITER.headerBytes();
    }

    @Override
    public void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes) {
        int ignored = stripes.drain(new RunPacker(maxRecordBytes, sink), maxEvents, maxBytes);
    }

    @Override
    protected long sizeRecords() {
        return sizeBytes() / maxRecordBytes + 1;
    }
}
