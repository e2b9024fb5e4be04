package io.microbatch.bench.micro;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.SpscArrayQueue;

/** A queue of objects, each a copy of an event. The bound of a queue that has none is kept as in {@link HandoverKind#CLQ}. */
final class QueueOfCopies implements ByteHandover {
    private final Queue<byte[]> queue;
    private final boolean bounded;
    private final AtomicLong takenTotal = new AtomicLong();
    private final byte[] source = new byte[EVENT_BYTES];
    private long offeredTotal;
    private long knownTaken;

    private QueueOfCopies(Queue<byte[]> queue, boolean bounded) {
        this.queue = queue;
        this.bounded = bounded;
    }

    static QueueOfCopies jctools() {
        return new QueueOfCopies(new SpscArrayQueue<>(CAPACITY_EVENTS), true);
    }

    static QueueOfCopies linked() {
        return new QueueOfCopies(new ConcurrentLinkedQueue<>(), false);
    }

    @Override
    public void produce(int eventCount) {
        Backoff backoff = new Backoff();
        for (int number = 0; number < eventCount; number++) {
            NUMBERS.set(source, 0, (long) number);
            byte[] copy = source.clone();
            while (!hasRoom() || !queue.offer(copy)) {
                backoff.pause();
            }
            offeredTotal++;
            backoff.reset();
        }
    }

    private boolean hasRoom() {
        if (!bounded && offeredTotal - knownTaken == CAPACITY_EVENTS) {
            knownTaken = takenTotal.getAcquire();
        }
        return bounded || offeredTotal - knownTaken < CAPACITY_EVENTS;
    }

    @Override
    public void consume(NumberCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        for (int left = eventCount; left > 0; ) {
            int taken = 0;
            while (taken < DRAIN_EVENTS) {
                byte[] event = queue.poll();
                if (event == null) {
                    break;
                }
                System.arraycopy(event, 0, check.record(), 0, EVENT_BYTES);
                check.accept(0, 1);
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
