package io.microbatch.bench.micro;

/**
 * One bounded way from one producer thread to one consumer thread. Each implementation uses the best calls its queue
 * has; {@link HandoverKind} says which.
 */
interface Handover {
    /** The most events any of them holds. */
    int CAPACITY_EVENTS = 4096;
    /** The most events the consumer takes at once, where it can take several. */
    int DRAIN_EVENTS = 1024;

    /** Producer thread: hands over events of the pool, from this one on, and answers how many. 0 when it is full. */
    int give(Item[] pool, int from, int maxEvents);

    /** Consumer thread: shows what there is to the check, and answers how many events. 0 when it is empty. */
    int take();

    /** Producer thread: hands over the events of the pool, round and round, until the count is reached. */
    default void produce(Item[] pool, int eventCount) {
        Backoff backoff = new Backoff();
        int mask = pool.length - 1;
        for (int i = 0; i < eventCount; ) {
            int given = give(pool, i & mask, Math.min(eventCount - i, pool.length - (i & mask)));
            if (given == 0) {
                backoff.pause();
            } else {
                backoff.reset();
                i += given;
            }
        }
    }

    /** Consumer thread: returns when this number of events was taken. */
    default void consume(int eventCount) {
        Backoff backoff = new Backoff();
        for (int left = eventCount; left > 0; ) {
            int taken = take();
            if (taken == 0) {
                backoff.pause();
            } else {
                backoff.reset();
                left -= taken;
            }
        }
    }

    /** What is handed over. The pool holds more events than any ring, so that the number reveals a lost one. */
    record Item(int number) {}

    /**
     * Sees every event that arrives, in order, and fails on the first that is not the next one. Consumer thread. Not
     * the oracle of the testbed: this one runs inside of what is measured, and costs a comparison.
     */
    final class Check {
        private final int poolSize;
        private int received;
        private int next;

        Check(int poolSize) {
            this.poolSize = poolSize;
        }

        void begin() {
            received = 0;
            next = 0;
        }

        int received() {
            return received;
        }

        void accept(Item event) {
            if (event.number() != next) {
                throw new IllegalStateException(
                        "event " + received + " has number " + event.number() + " instead of " + next);
            }
            next = next + 1 == poolSize ? 0 : next + 1;
            received++;
        }
    }
}
