package io.microbatch.bench.micro;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;

/** The Disruptor's ring with a single producer and a poller, over arrays that exist beforehand. */
final class DisruptorBytesHandover implements ByteHandover {
    private final RingBuffer<byte[]> ring =
            RingBuffer.createSingleProducer(() -> new byte[EVENT_BYTES], CAPACITY_EVENTS);
    private final EventPoller<byte[]> poller = ring.newPoller();
    private final byte[] source = new byte[EVENT_BYTES];

    DisruptorBytesHandover() {
        ring.addGatingSequences(poller.getSequence());
    }

    @Override
    public void produce(int eventCount) {
        Backoff backoff = new Backoff();
        for (int number = 0; number < eventCount; ) {
            int burst = Math.min(BURST_EVENTS, eventCount - number);
            if (!ring.hasAvailableCapacity(burst)) {
                backoff.pause();
                continue;
            }
            backoff.reset();
            long last = ring.next(burst);
            long first = last - burst + 1;
            for (long sequence = first; sequence <= last; sequence++) {
                NUMBERS.set(source, 0, (long) number++);
                System.arraycopy(source, 0, ring.get(sequence), 0, EVENT_BYTES);
            }
            ring.publish(first, last);
        }
    }

    @Override
    public void consume(NumberCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        EventPoller.Handler<byte[]> handler = (event, sequence, endOfBatch) -> {
            System.arraycopy(event, 0, check.record(), 0, EVENT_BYTES);
            check.accept(0, 1);
            return true;
        };
        long target = check.received() + eventCount;
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
}
