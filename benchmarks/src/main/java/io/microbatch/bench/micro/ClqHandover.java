package io.microbatch.bench.micro;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * ConcurrentLinkedQueue, which has no bound of its own and needs one. The cheapest is kept here: the consumer tells
 * how many it took once per batch, the producer looks only when it has used up what it knows.
 */
final class ClqHandover implements Handover {
    private final ConcurrentLinkedQueue<Event> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong takenTotal = new AtomicLong();
    private long offeredTotal;
    private long knownTaken;

    @Override
    public void produce(Event[] pool, int eventCount) {
        Backoff backoff = new Backoff();
        int mask = pool.length - 1;
        for (int i = 0; i < eventCount; ) {
            if (offeredTotal - knownTaken == CAPACITY_EVENTS) {
                knownTaken = takenTotal.getAcquire();
            }
            if (offeredTotal - knownTaken < CAPACITY_EVENTS && queue.offer(pool[i & mask])) {
                offeredTotal++;
                i++;
                backoff.reset();
            } else {
                backoff.pause();
            }
        }
    }

    @Override
    public void consume(SequenceCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        for (int left = eventCount; left > 0; ) {
            int taken = 0;
            while (taken < DRAIN_EVENTS) {
                Event event = queue.poll();
                if (event == null) {
                    break;
                }
                check.accept(event);
                taken++;
            }
            if (taken == 0) {
                backoff.pause();
            } else {
                takenTotal.setRelease(takenTotal.getPlain() + taken);
                backoff.reset();
                left -= taken;
            }
        }
    }
}
