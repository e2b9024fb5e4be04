package io.microbatch.bench.micro;

import org.jctools.queues.SpscArrayQueue;

/** Arrays of exactly a burst, allocated by the producer and handed over by reference: one copy instead of two. */
final class FreshBlocksHandover implements ByteHandover {
    private static final int BLOCK_BYTES = BURST_EVENTS * EVENT_BYTES;

    private final SpscArrayQueue<byte[]> queue = new SpscArrayQueue<>(CAPACITY_BYTES / BLOCK_BYTES);
    private final byte[] source = new byte[EVENT_BYTES];

    @Override
    public void produce(int eventCount) {
        Backoff backoff = new Backoff();
        for (int number = 0; number < eventCount; ) {
            byte[] block = new byte[Math.min(BLOCK_BYTES, (eventCount - number) * EVENT_BYTES)];
            for (int at = 0; at < block.length; at += EVENT_BYTES) {
                NUMBERS.set(source, 0, (long) number++);
                System.arraycopy(source, 0, block, at, EVENT_BYTES);
            }
            while (!queue.offer(block)) {
                backoff.pause();
            }
            backoff.reset();
        }
    }

    @Override
    public void consume(NumberCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        for (int left = eventCount; left > 0; ) {
            byte[] block = queue.poll();
            if (block == null) {
                backoff.pause();
            } else {
                backoff.reset();
                check.accept(block, 0, block.length / EVENT_BYTES);
                left -= block.length / EVENT_BYTES;
            }
        }
    }
}
