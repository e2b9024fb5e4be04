package io.microbatch.connect.poll;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/** Turns buffered events into the records of a batch. Task thread. */
public interface EventSource {

    /** The stripes with the buffered events. */
    StripeSet<EventRecord> stripes();

    /**
     * Takes the oldest events, as records for Connect. Events with the same source offset are taken together, because
     * otherwise a committed offset could cover events that were not sent. So both limits may be exceeded.
     *
     * @param sink receives each record with its size in bytes
     * @param maxEvents the maximum number of events
     * @param maxBytes the maximum bytes
     */
    void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes);

    /** The approximate number of records in a drain of all events. */
    long sizeRecords();
}
