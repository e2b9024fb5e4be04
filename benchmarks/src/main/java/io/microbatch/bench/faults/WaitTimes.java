package io.microbatch.bench.faults;

import java.util.ArrayList;
import java.util.List;

/** Which requests waited too long for their answers, not counting the time in which a worker was frozen. Any thread. */
final class WaitTimes {

    private final long limitNanos;
    private final List<Span> slow = new ArrayList<>();
    private final List<Span> frozen = new ArrayList<>();

    private record Span(long fromNanos, long toNanos) {

        long overlap(Span other) {
            return Math.max(0, Math.min(toNanos, other.toNanos) - Math.max(fromNanos, other.fromNanos));
        }
    }

    /** A request that waits for longer hangs. */
    WaitTimes(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** A request was sent, and answered or given up. */
    synchronized void waited(long fromNanos, long toNanos) {
        if (toNanos - fromNanos > limitNanos) {
            slow.add(new Span(fromNanos, toNanos));
        }
    }

    /** A worker could not answer. */
    synchronized void frozen(long fromNanos, long toNanos) {
        frozen.add(new Span(fromNanos, toNanos));
    }

    /** How many requests waited too long. */
    synchronized long hung() {
        return slow.stream()
                .filter(span -> span.toNanos()
                                - span.fromNanos()
                                - frozen.stream().mapToLong(span::overlap).sum()
                        > limitNanos)
                .count();
    }
}
