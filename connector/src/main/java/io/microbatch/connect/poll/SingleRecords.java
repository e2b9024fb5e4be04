package io.microbatch.connect.poll;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/**
 * One record per event. Task thread.
 *
 * @param stripes the stripes with the buffered events
 */
public record SingleRecords(StripeSet<EventRecord> stripes) implements EventSource {

    @Override
    public void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes) {
        int ignored = stripes.drain(sink, maxEvents, maxBytes, EventRecord::inseparable);
    }

    @Override
    public long sizeRecords() {
        return stripes.sizeEvents();
    }
}
