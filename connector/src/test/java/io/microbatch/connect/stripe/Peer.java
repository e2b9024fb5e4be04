package io.microbatch.connect.stripe;

import java.util.concurrent.TimeUnit;

/**
 * The other thread of a test. Its failure becomes the test's failure. The time limits only end a test of broken code;
 * no test depends on the speed of the machine.
 */
final class Peer implements AutoCloseable {
    static final long GUARD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Thread thread;
    private volatile Throwable failure;

    private Peer(Body body) {
        thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        failure = e;
                    }
                },
                "peer");
        thread.setDaemon(true);
        thread.start();
    }

    static Peer start(Body body) {
        return new Peer(body);
    }

    /** Yields to the other thread, because the machine may have one core only. */
    @SuppressWarnings("ThreadPriorityCheck") // a test that polls gives the processor away
    static void pause() {
        Thread.yield();
    }

    Thread thread() {
        return thread;
    }

    /** Waits until the other thread is parked. */
    void awaitParked() {
        long start = System.nanoTime();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            checkAlive();
            guard(start);
            pause();
        }
    }

    void checkAlive() {
        if (failure != null) {
            throw new AssertionError("the other thread failed", failure);
        }
    }

    static void guard(long startNanos) {
        if (System.nanoTime() - startNanos > GUARD_NANOS) {
            throw new AssertionError("nothing happened for a minute");
        }
    }

    void join() throws InterruptedException {
        thread.join(TimeUnit.NANOSECONDS.toMillis(GUARD_NANOS));
        checkAlive();
        if (thread.isAlive()) {
            throw new AssertionError("the other thread does not end");
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    /** The work of the other thread. */
    interface Body {
        void run() throws Exception;
    }
}
