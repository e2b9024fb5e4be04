package io.microbatch.connect.upstream.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Buffers on the heap, also those for sockets. The direct memory of a worker belongs to its producer. Any thread.
 */
final class HeapAllocator extends PooledByteBufAllocator {

    private static final int PAGE_BYTES = 8_192;

    /** Chunks of 1 MiB. */
    private static final int MAX_ORDER = 7;

    /** Buffers that a thread keeps for reuse, per size. */
    private static final int KEPT_SMALL = 256;

    private static final int KEPT_NORMAL = 64;

    /** A pool with an arena for each event loop. */
    HeapAllocator(int arenas) {
        super(false, arenas, 0, PAGE_BYTES, MAX_ORDER, KEPT_SMALL, KEPT_NORMAL, false);
    }

    @Override
    public ByteBuf ioBuffer() {
        return heapBuffer();
    }

    @Override
    public ByteBuf ioBuffer(int initialCapacity) {
        return heapBuffer(initialCapacity);
    }

    @Override
    public ByteBuf ioBuffer(int initialCapacity, int maxCapacity) {
        return heapBuffer(initialCapacity, maxCapacity);
    }
}
