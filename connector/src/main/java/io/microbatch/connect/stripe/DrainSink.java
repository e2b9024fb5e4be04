package io.microbatch.connect.stripe;

/**
 * Takes drained events, oldest first, on the consumer's thread. If it throws, the drain ends and the current event
 * counts as taken.
 *
 * @param <E> the type of the events
 */
@FunctionalInterface
public interface DrainSink<E> {
    /** Takes one event with the size in bytes with which it was offered. */
    void take(E event, int sizeBytes);
}
