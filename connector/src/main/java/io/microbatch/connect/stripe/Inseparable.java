package io.microbatch.connect.stripe;

/**
 * Says which neighbours of one stripe have to leave it in the same drain, such as events of equal source offset. Asked
 * on the consumer's thread, only at the place where a drain would end.
 *
 * @param <E> the type of the events
 */
@FunctionalInterface
public interface Inseparable<E> {
    /** Whether {@code next}, still buffered, must not be separated from {@code last}, just drained. */
    boolean inseparable(E last, E next);
}
