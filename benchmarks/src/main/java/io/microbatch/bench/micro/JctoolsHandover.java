package io.microbatch.bench.micro;

import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.SpscArrayQueue;

/** JCTools' queue for one producer and one consumer. */
final class JctoolsHandover implements Handover {
    private final SpscArrayQueue<Event> queue = new SpscArrayQueue<>(CAPACITY_EVENTS);
    private final int burstEvents;

    JctoolsHandover(int burstEvents) {
        this.burstEvents = burstEvents;
    }

    @Override
    public void produce(Event[] pool, int eventCount) {
        if (burstEvents == 1) {
            produceEach(pool, eventCount);
        } else {
            produceBursts(pool, eventCount);
        }
    }

    private void produceEach(Event[] pool, int eventCount) {
        Backoff backoff = new Backoff();
        int mask = pool.length - 1;
        for (int i = 0; i < eventCount; ) {
            if (queue.offer(pool[i & mask])) {
                i++;
                backoff.reset();
            } else {
                backoff.pause();
            }
        }
    }

    private void produceBursts(Event[] pool, int eventCount) {
        Backoff backoff = new Backoff();
        PoolSupplier supplier = new PoolSupplier(pool);
        for (int left = eventCount; left > 0; ) {
            int filled = queue.fill(supplier, Math.min(burstEvents, left));
            if (filled == 0) {
                backoff.pause();
            } else {
                backoff.reset();
                left -= filled;
            }
        }
    }

    @Override
    public void consume(SequenceCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        MessagePassingQueue.Consumer<Event> sink = check::accept;
        for (int left = eventCount; left > 0; ) {
            int taken = queue.drain(sink, DRAIN_EVENTS);
            if (taken == 0) {
                backoff.pause();
            } else {
                backoff.reset();
                left -= taken;
            }
        }
    }

    private static final class PoolSupplier implements MessagePassingQueue.Supplier<Event> {
        private final Event[] pool;
        private int next;

        PoolSupplier(Event[] pool) {
            this.pool = pool;
        }

        @Override
        public Event get() {
            return pool[next++ & (pool.length - 1)];
        }
    }
}
