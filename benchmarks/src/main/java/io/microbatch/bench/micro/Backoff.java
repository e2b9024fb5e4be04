package io.microbatch.bench.micro;

/** What a thread does that meets a full or an empty queue, the same for all of them: spin a little, then yield. */
final class Backoff {
    private static final int SPIN_COUNT = 64;

    private int spins;

    /** After a success. */
    void reset() {
        spins = 0;
    }

    /** After a failure. */
    @SuppressWarnings("ThreadPriorityCheck") // with fewer free cores than threads, only yielding makes progress
    void pause() {
        if (spins < SPIN_COUNT) {
            spins++;
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
