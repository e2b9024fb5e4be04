package io.microbatch.connect.poll;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/** A record for each event. Threads as {@link EventSource}. */
public final class SingleRecords extends EventSource<EventRecord> {

    private final StripeSet<EventRecord> stripes;

    /** Over these stripes. */
    public SingleRecords(StripeSet<EventRecord> stripes) {
        super(stripes, EventRecord::arrivalNanos);
        this.stripes = stripes;
    }

    @Override
    public void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes) {
        int ignored = stripes.drain(sink, maxEvents, maxBytes, EventRecord::sameOffset);
    }

    @Override
    protected long sizeRecords() {
        return sizeEvents();
    }
}
