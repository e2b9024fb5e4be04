package io.microbatch.connect.stripe;

/**
 * Takes drained runs, oldest first, on the drainer's thread. It should not throw: the run at hand counts as taken, and
 * the drain ends there.
 *
 * @param <E> the type of the tokens
 */
public interface RunSink<E> {
    /**
     * Takes one run. Its bytes stay as they are until {@link #end} has returned, and belong to the ring afterwards.
     *
     * @param run the token that it was published with
     * @param bytes the ring's own array
     * @param from the index of its first byte
     * @param sizeBytes how many bytes it has, one behind the other
     * @param events how many events it has
     */
    void take(E run, byte[] bytes, int from, int sizeBytes, int events);

    /** This drain takes no more: whatever is still wanted of the bytes has to be copied now. */
    void end();
}
