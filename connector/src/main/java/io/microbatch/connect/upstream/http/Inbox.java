package io.microbatch.connect.upstream.http;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The requests on their way from the event loops to the reader, in the order of their arrival. Unbounded by itself:
 * {@link Admission} limits what is in it.
 *
 * <p>The reader announces that it waits, and then looks once more. An event loop puts a request in, and then looks
 * whether the reader waits. Both words are volatile, so that at least one side notices the other.
 */
final class Inbox {

    private final ConcurrentLinkedQueue<PendingRequest> queue = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Thread> waiting = new AtomicReference<>();

    /** Adds a request and wakes the reader. Event loops. */
    void put(PendingRequest request) {
        boolean ignored = queue.add(request);
        wake();
    }

    /** Ends a wait of the reader. Any thread. */
    void wake() {
        if (waiting.get() != null) {
            LockSupport.unpark(waiting.getAndSet(null));
        }
    }

    /** The oldest request, or null. Reader thread. */
    PendingRequest poll() {
        return queue.poll();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /**
     * Waits for a request, for this time at most. May return early, and does so after a {@link #wake} that follows what
     * makes the condition true. Reader thread. Throws InterruptedException if the task stops.
     */
    void await(long nanos, BooleanSupplier until) throws InterruptedException {
        waiting.set(Thread.currentThread());
        if (queue.isEmpty() && !until.getAsBoolean()) {
            LockSupport.parkNanos(this, nanos);
        }
        waiting.set(null);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
