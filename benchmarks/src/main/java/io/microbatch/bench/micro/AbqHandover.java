package io.microbatch.bench.micro;

import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;

/** ArrayBlockingQueue without its blocking calls; {@code drainTo} takes its lock once per batch. */
final class AbqHandover implements Handover {
    private final ArrayBlockingQueue<Event> queue = new ArrayBlockingQueue<>(CAPACITY_EVENTS);
    private final ArrayList<Event> batch = new ArrayList<>(DRAIN_EVENTS);

    @Override
    public void produce(Event[] pool, int eventCount) {
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

    @Override
    public void consume(SequenceCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        for (int left = eventCount; left > 0; ) {
            int taken = queue.drainTo(batch, DRAIN_EVENTS);
            if (taken == 0) {
                backoff.pause();
            } else {
                for (int i = 0; i < taken; i++) {
                    check.accept(batch.get(i));
                }
                batch.clear();
                backoff.reset();
                left -= taken;
            }
        }
    }
}
