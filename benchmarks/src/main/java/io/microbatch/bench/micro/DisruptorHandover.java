package io.microbatch.bench.micro;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;

/**
 * The Disruptor's ring with a single producer and a poller. Its slots are preallocated; an event that exists already,
 * as a source record does, is put into one by reference and taken out again.
 */
final class DisruptorHandover implements Handover {
    private final RingBuffer<Slot> ring = RingBuffer.createSingleProducer(Slot::new, CAPACITY_EVENTS);
    private final EventPoller<Slot> poller = ring.newPoller();
    private final int burstEvents;

    DisruptorHandover(int burstEvents) {
        this.burstEvents = burstEvents;
        ring.addGatingSequences(poller.getSequence());
    }

    @Override
    public void produce(Event[] pool, int eventCount) {
        Backoff backoff = new Backoff();
        int mask = pool.length - 1;
        for (int i = 0; i < eventCount; ) {
            int burst = Math.min(burstEvents, eventCount - i);
            if (!ring.hasAvailableCapacity(burst)) {
                backoff.pause();
                continue;
            }
            backoff.reset();
            long last = ring.next(burst);
            long first = last - burst + 1;
            for (long sequence = first; sequence <= last; sequence++) {
                ring.get(sequence).event = pool[i++ & mask];
            }
            ring.publish(first, last);
        }
    }

    @Override
    public void consume(SequenceCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        EventPoller.Handler<Slot> handler = (slot, sequence, endOfBatch) -> {
            check.accept(slot.event);
            slot.event = null;
            return true;
        };
        int target = check.received() + eventCount;
        try {
            while (check.received() < target) {
                if (poller.poll(handler) == EventPoller.PollState.PROCESSING) {
                    backoff.reset();
                } else {
                    backoff.pause();
                }
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Slot {
        private Event event;
    }
}
