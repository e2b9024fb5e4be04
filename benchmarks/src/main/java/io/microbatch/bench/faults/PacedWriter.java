package io.microbatch.bench.faults;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Calls a step at a rate on a thread of its own until it is ended. Used by one thread. */
public final class PacedWriter implements AutoCloseable {

    private static final long END_LIMIT_MS = 30_000;

    private final Thread thread;
    private volatile boolean ended;
    private volatile Exception failure;

    /** What is done at each step. */
    @FunctionalInterface
    public interface Step {
        /** Writes the event of this number, from 0. */
        void write(long number) throws Exception;
    }

    /** Starts the thread. */
    public PacedWriter(String name, int perSec, Step step) {
        thread = new Thread(() -> run(perSec, step), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(int perSec, Step step) {
        long startNanos = System.nanoTime();
        try {
            for (long number = 0; !ended; number++) {
                long dueNanos = startNanos + number * TimeUnit.SECONDS.toNanos(1) / perSec;
                for (long left = dueNanos - System.nanoTime();
                        left > 0 && !ended;
                        left = dueNanos - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                step.write(number);
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    /** Waits for the last step and says what went wrong, if anything did. */
    public void end() {
        ended = true;
        boolean interrupted = false;
        try {
            thread.join(END_LIMIT_MS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null || thread.isAlive()) {
            throw new IllegalStateException("the events could not be written upstream", failure);
        }
    }

    @Override
    public void close() {
        ended = true;
    }
}
