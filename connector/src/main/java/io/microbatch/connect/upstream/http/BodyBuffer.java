package io.microbatch.connect.upstream.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The bytes of a body as they arrive. It grows with what has arrived and not with what the head announces, so that a
 * slow client holds little memory. One connection; its event loop.
 */
final class BodyBuffer {

    private static final byte[] NOTHING = {};
    private static final int FIRST_BYTES = 1_024;

    private byte[] bytes = NOTHING;
    private int size;

    /** Adds a part of the body. */
    void add(ByteBuf part) {
        int added = part.readableBytes();
        if (size + added > bytes.length) {
            int grown = size == 0 ? added : Math.max(FIRST_BYTES, Math.max(size + added, 2 * bytes.length));
            bytes = Arrays.copyOf(bytes, grown);
        }
        part.readBytes(bytes, size, added);
        size += added;
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }
}
