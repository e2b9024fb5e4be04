package io.microbatch.connect.poll;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/**
 * A record for each event. Threads as {@link EventSource}.
 *
 * @param stripes what buffers the events
 */
public record SingleRecords(StripeSet<EventRecord> stripes) implements EventSource {

    @Override
    public void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes) {
        int ignored = stripes.drain(sink, maxEvents, maxBytes, EventRecord::sameOffset);
    }

    @Override
    public long sizeRecords() {
        return stripes.sizeEvents();
    }
}
