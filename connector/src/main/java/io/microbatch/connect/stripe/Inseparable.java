package io.microbatch.connect.stripe;

/**
 * Decides which neighbours of a stripe must be drained together, such as events with the same source offset. A drain
 * calls it on the consumer's thread, only at the place where it would end.
 *
 * @param <E> the type of the events
 */
@FunctionalInterface
public interface Inseparable<E> {
    /** Whether {@code next}, which is buffered, must be drained together with {@code last}, which is drained now. */
    boolean inseparable(E last, E next);
}
