package io.microbatch.connect.upstream.http;

import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The parts of requests that a client has sent, until its connection takes them: a read may bring more than one
 * request. A read of 64 KiB may hold thousands of short requests, which take much more memory than their bytes. So only
 * some of them are kept. One connection; its event loop.
 */
final class Parts {

    /** A request without a body has two parts. */
    static final int MAX_WAITING = 64;

    private final BooleanSupplier wanted;
    private final Consumer<HttpObject> taker;
    private final ArrayDeque<HttpObject> received = new ArrayDeque<>();
    private boolean isPassing;

    /** Passes the parts to the taker, one after the other, while they are wanted. */
    Parts(BooleanSupplier wanted, Consumer<HttpObject> taker) {
        this.wanted = wanted;
        this.taker = taker;
    }

    /**
     * Passes it when it is wanted.
     *
     * @return false if too many wait already, and it was forgotten. Then no other request of this client can be read
     */
    boolean add(HttpObject part) {
        if (received.size() >= MAX_WAITING) {
            ReferenceCountUtil.release(part);
            return false;
        }
        received.add(part);
        pass();
        return true;
    }

    boolean isEmpty() {
        return received.isEmpty();
    }

    /** Passes what is wanted. The taker may call this method too, which then has no effect. */
    void pass() {
        if (isPassing) {
            return;
        }
        isPassing = true;
        try {
            while (wanted.getAsBoolean() && !received.isEmpty()) {
                HttpObject part = received.poll();
                try {
                    taker.accept(part);
                } finally {
                    ReferenceCountUtil.release(part);
                }
            }
        } finally {
            isPassing = false;
        }
    }

    /** Forgets all parts. */
    void release() {
        received.forEach(ReferenceCountUtil::release);
        received.clear();
    }
}
