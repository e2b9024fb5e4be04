package io.microbatch.bench.micro;

import io.microbatch.bench.micro.Handover.Event;

/** Sees every event that arrives, in order, and fails on the first that is not the next one; consumer thread. */
final class SequenceCheck {
    private final int poolSize;
    private int received;
    private int next;

    SequenceCheck(int poolSize) {
        this.poolSize = poolSize;
    }

    void begin() {
        received = 0;
        next = 0;
    }

    int received() {
        return received;
    }

    void accept(Event event) {
        if (event.number() != next) {
            throw new IllegalStateException(
                    "event " + received + " has number " + event.number() + " instead of " + next);
        }
        next = next + 1 == poolSize ? 0 : next + 1;
        received++;
    }
}
