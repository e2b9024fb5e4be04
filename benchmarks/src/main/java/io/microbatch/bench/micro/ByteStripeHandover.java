package io.microbatch.bench.micro;

import io.microbatch.connect.stripe.ByteRing;
import io.microbatch.connect.stripe.RunSink;

/** Ours. */
final class ByteStripeHandover implements ByteHandover {
    private static final Object RUN = new Object();

    private final ByteRing<Object> ring = new ByteRing<>(CAPACITY_BYTES, BURST_EVENTS * EVENT_BYTES, CAPACITY_EVENTS);
    private final int burstEvents;
    private final boolean blocks;
    private final byte[] source = new byte[BURST_EVENTS * EVENT_BYTES];

    ByteStripeHandover(int burstEvents, boolean blocks) {
        this.burstEvents = burstEvents;
        this.blocks = blocks;
    }

    @Override
    public void produce(int eventCount) {
        if (blocks) {
            produceBlocks(eventCount);
        } else {
            produceEvents(eventCount);
        }
    }

    private void produceEvents(int eventCount) {
        Backoff backoff = new Backoff();
        for (int number = 0; number < eventCount; ) {
            NUMBERS.set(source, 0, (long) number);
            if (ring.submit(source, 0, EVENT_BYTES, 1) < 0) {
                backoff.pause();
                continue;
            }
            backoff.reset();
            number++;
            if (number % burstEvents == 0 || number == eventCount) {
                ring.publish(RUN);
            }
        }
    }

    private void produceBlocks(int eventCount) {
        Backoff backoff = new Backoff();
        for (int number = 0; number < eventCount; ) {
            int events = Math.min(burstEvents, eventCount - number);
            for (int i = 0; i < events; i++) {
                NUMBERS.set(source, i * EVENT_BYTES, (long) number + i);
            }
            while (ring.submit(source, 0, events * EVENT_BYTES, events) < 0) {
                backoff.pause();
            }
            backoff.reset();
            ring.publish(RUN);
            number += events;
        }
    }

    @Override
    public void consume(NumberCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        RunSink<Object> sink = new Copying(check);
        for (int left = eventCount; left > 0; ) {
            int taken = ring.drain(sink, DRAIN_EVENTS, Long.MAX_VALUE);
            if (taken == 0) {
                backoff.pause();
            } else {
                backoff.reset();
                left -= taken;
            }
        }
    }

    private record Copying(NumberCheck check) implements RunSink<Object> {
        @Override
        public void take(Object run, byte[] bytes, int from, int sizeBytes, int events) {
            System.arraycopy(bytes, from, check.record(), 0, sizeBytes);
            check.accept(0, events);
        }

        @Override
        public void end() {
            // Copied already.
        }
    }
}
