package io.microbatch.testbed;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Cleans up when the JVM ends before the owner did: on Ctrl-C, on {@code System.exit}, after a failed test.
 *
 * <p>The JVM runs its shutdown hooks concurrently. This guard runs its clean-ups one after the other, the last
 * registered first, so that a work directory is deleted after the processes that write into it have ended. Safe on any
 * thread.
 */
public final class ShutdownGuard {

    private static final Deque<Registration> REGISTRATIONS = new ArrayDeque<>();
    private static final Object STARTING = new Object();
    private static volatile boolean shuttingDown;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ShutdownGuard::cleanUp, "testbed-shutdown"));
    }

    private ShutdownGuard() {}

    /** Registers a clean-up, which must not throw. Close the registration when the owner has cleaned up itself. */
    public static Registration register(Runnable cleanUp) {
        Registration registration = new Registration(cleanUp);
        synchronized (REGISTRATIONS) {
            REGISTRATIONS.push(registration);
        }
        return registration;
    }

    /** Whether the JVM is ending. Failures of its other threads have no meaning then. */
    public static boolean isShuttingDown() {
        return shuttingDown;
    }

    /**
     * Starts a process and registers its end as one step. Otherwise the shutdown could begin in between and leave the
     * process running, or a process could start after the shutdown.
     */
    static <T> T startGuarded(Supplier<T> start) {
        synchronized (STARTING) {
            if (shuttingDown) {
                throw new IllegalStateException("the JVM is shutting down");
            }
            return start.get();
        }
    }

    private static void cleanUp() {
        synchronized (STARTING) {
            shuttingDown = true;
        }
        for (Registration next = pop(); next != null; next = pop()) {
            try {
                next.cleanUp.run();
            } catch (RuntimeException e) {
                // One failure must not prevent the other clean-ups. There is no log left to write to.
                System.err.println("clean-up failed: " + e);
            }
        }
    }

    private static Registration pop() {
        synchronized (REGISTRATIONS) {
            return REGISTRATIONS.poll();
        }
    }

    /** One pending clean-up. */
    public static final class Registration implements Closeable {

        private final Runnable cleanUp;

        private Registration(Runnable cleanUp) {
            this.cleanUp = cleanUp;
        }

        /** Withdraws the clean-up without running it. During the shutdown the clean-up runs anyway. */
        @Override
        public void close() {
            if (shuttingDown) {
                return;
            }
            synchronized (REGISTRATIONS) {
                REGISTRATIONS.remove(this);
            }
        }
    }
}
