package io.microbatch.connect.upstream.http;

import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The parts of requests that a client has sent, until its connection takes them: a read may bring more than one
 * request. One connection; its event loop.
 */
final class Parts {

    private final BooleanSupplier wanted;
    private final Consumer<HttpObject> taker;
    private final ArrayDeque<HttpObject> received = new ArrayDeque<>();
    private boolean isPassing;

    /** Passes the parts to the taker, one after the other, while they are wanted. */
    Parts(BooleanSupplier wanted, Consumer<HttpObject> taker) {
        this.wanted = wanted;
        this.taker = taker;
    }

    void add(HttpObject part) {
        received.add(part);
        pass();
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
