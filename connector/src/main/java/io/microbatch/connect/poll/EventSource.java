package io.microbatch.connect.poll;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.StripeSet;

/** How buffered events become the records of a batch. Task thread. */
public interface EventSource {

    /** What buffers the events. */
    StripeSet<EventRecord> stripes();

    /**
     * Takes the oldest events, as records that Connect can get. Events that share a source offset leave together, or
     * the committed offset would name an event half sent; so both limits may be exceeded.
     *
     * @param sink gets each record with its size in bytes
     * @param maxEvents how many events to take
     * @param maxBytes how many bytes to take
     */
    void drain(DrainSink<EventRecord> sink, int maxEvents, long maxBytes);

    /** About how many records a drain of everything gives. */
    long sizeRecords();
}
