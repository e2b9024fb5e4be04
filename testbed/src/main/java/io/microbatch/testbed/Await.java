package io.microbatch.testbed;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition on the calling thread, with a deadline and a message that names the condition. */
public final class Await {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A condition may read a whole topic. It must not take the processor from what it waits for. */
    private static final int PAUSE_RATIO = 2;

    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private Await() {}

    /**
     * Polls until the condition holds.
     *
     * @throws IllegalStateException when the condition does not hold within {@code limit}, or when the thread is
     *     interrupted. The message ends with the text of {@code detail} at that moment.
     */
    public static void until(String what, Duration limit, BooleanSupplier condition, Supplier<String> detail) {
        if (!reached(limit, condition)) {
            throw new IllegalStateException(
                    "not within " + limit.toMillis() + " ms: " + what + ". Last seen: " + detail.get());
        }
    }

    /** Polls until the condition holds. Returns false when it does not hold within {@code limit}. */
    public static boolean reached(Duration limit, BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        long begunNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long tookNanos = System.nanoTime() - begunNanos;
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting");
            }
            if (System.nanoTime() - deadlineNanos >= 0) {
                return false;
            }
            LockSupport.parkNanos(Math.max(PAUSE_NANOS, Math.min(MAX_PAUSE_NANOS, PAUSE_RATIO * tookNanos)));
            begunNanos = System.nanoTime();
        }
        return true;
    }
}
