package io.microbatch.bench.micro;

import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.Inseparable;
import io.microbatch.connect.stripe.SpscRing;
import java.util.Arrays;

/** Ours, with the bookkeeping of bytes that the others do not have. */
final class StripeHandover implements Handover {
    private static final int EVENT_BYTES = 100;

    private final SpscRing<Event> ring = new SpscRing<>(CAPACITY_EVENTS, (long) CAPACITY_EVENTS * EVENT_BYTES);
    private final int burstEvents;
    private final int[] sizesBytes = new int[2 * CAPACITY_EVENTS];

    StripeHandover(int burstEvents) {
        this.burstEvents = burstEvents;
        Arrays.fill(sizesBytes, EVENT_BYTES);
    }

    @Override
    public void produce(Event[] pool, int eventCount) {
        Backoff backoff = new Backoff();
        int mask = pool.length - 1;
        for (int i = 0; i < eventCount; ) {
            int from = i & mask;
            int burst = Math.min(burstEvents, Math.min(eventCount - i, pool.length - from));
            int staged = ring.stageAll(pool, sizesBytes, from, from + burst);
            if (staged > 0) {
                ring.publish();
                i += staged;
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
