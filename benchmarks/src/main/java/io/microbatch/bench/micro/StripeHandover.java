package io.microbatch.bench.micro;

import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.Inseparable;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.SpscRing;

/** Ours, with the bookkeeping of bytes that the others do not have. */
final class StripeHandover implements Handover {
    private static final int EVENT_BYTES = 100;

    private final SpscRing<Event> ring = new SpscRing<>(CAPACITY_EVENTS, (long) CAPACITY_EVENTS * EVENT_BYTES);
    private final int burstEvents;

    StripeHandover(int burstEvents) {
        this.burstEvents = burstEvents;
    }

    @Override
    public void produce(Event[] pool, int eventCount) {
        Backoff backoff = new Backoff();
        int mask = pool.length - 1;
        for (int i = 0; i < eventCount; ) {
            int first = i;
            int end = Math.min(i + burstEvents, eventCount);
            while (i < end && ring.stage(pool[i & mask], EVENT_BYTES) == Offer.ACCEPTED) {
                i++;
            }
            if (i > first) {
                ring.publish();
                backoff.reset();
            } else {
                backoff.pause();
            }
        }
    }

    @Override
    public void consume(SequenceCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        DrainSink<Event> sink = (event, sizeBytes) -> check.accept(event);
        Inseparable<Event> rule = (last, next) -> false;
        for (int left = eventCount; left > 0; ) {
            int taken = ring.drain(sink, DRAIN_EVENTS, Long.MAX_VALUE, rule);
            if (taken == 0) {
                backoff.pause();
            } else {
                backoff.reset();
                left -= taken;
            }
        }
    }
}
