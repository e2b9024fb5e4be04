package io.microbatch.connect.upstream.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Says when requests leave without waiting for T: as soon as those that left before them are settled. Requests gather
 * while an acknowledgement is on its way, and none waits while none is. So Kafka's own pace makes the batches.
 *
 * <p>Counts requests and does not name them. If one overtakes another, because T or N ended a batch meanwhile, a
 * departure is sooner than it would have to be. A request that is never settled ends no wait, and T holds as before.
 *
 * <p>The reader hands over and lets leave. Any thread settles. The reader says what has left and then looks at what is
 * settled. A settling thread counts and then looks at what has left. So at least one side notices the other.
 */
final class AckClock {

    private final Runnable wakeReader;
    private final AtomicLong settled = new AtomicLong();

    /** Requests that were handed over. Reader. */
    private long handedOver;

    /** As many of them have left. Reader. */
    private volatile long left;

    AckClock(Runnable wakeReader) {
        this.wakeReader = wakeReader;
    }

    /** A request is about to be visible to the task. It has to be settled once. Reader thread. */
    void handedOver() {
        handedOver++;
    }

    /** Whether requests wait, and nothing on its way is to be waited for. Reader thread. */
    boolean isDue() {
        return handedOver > left && settled.get() >= left;
    }

    /** Everything that was handed over leaves now. Reader thread. */
    void leave() {
        left = handedOver;
    }

    /** Connect is done with a request. Any thread. */
    void settled() {
        if (settled.incrementAndGet() == left) {
            wakeReader.run();
        }
    }
}
