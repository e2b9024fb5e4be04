package io.microbatch.connect.stripe;

/**
 * Takes drained events, oldest first, on the consumer's thread. It should not throw: the event at hand counts as taken,
 * and the drain ends there.
 *
 * @param <E> the type of the events
 */
@FunctionalInterface
public interface DrainSink<E> {
    /** Takes one event, with the size in bytes it was offered with. */
    void take(E event, int sizeBytes);
}
