package io.microbatch.bench.micro;

import java.nio.ByteBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** Agrona's ring for one producer and one consumer, as large in bytes as ours. */
final class AgronaHandover implements ByteHandover {
    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    private final byte[] source = new byte[EVENT_BYTES];
    private final UnsafeBuffer sourceBuffer = new UnsafeBuffer(source);

    @Override
    public void produce(int eventCount) {
        Backoff backoff = new Backoff();
        for (int number = 0; number < eventCount; ) {
            NUMBERS.set(source, 0, (long) number);
            if (ring.write(1, sourceBuffer, 0, EVENT_BYTES)) {
                number++;
                backoff.reset();
            } else {
                backoff.pause();
            }
        }
    }

    @Override
    public void consume(NumberCheck check, int eventCount) {
        Backoff backoff = new Backoff();
        MessageHandler handler = (type, buffer, index, length) -> {
            buffer.getBytes(index, check.record(), 0, length);
            check.accept(0, 1);
        };
        for (int left = eventCount; left > 0; ) {
            int taken = ring.read(handler, DRAIN_EVENTS);
            if (taken == 0) {
                backoff.pause();
            } else {
                backoff.reset();
                left -= taken;
            }
        }
    }
}
