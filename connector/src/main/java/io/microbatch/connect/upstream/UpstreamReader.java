package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.Kept;
import io.microbatch.connect.ack.SettledEvent;

/**
 * The task side of an upstream: owns some of its source partitions and reads them in order. Every method is called on
 * the one reader thread that owns this instance, unless it says otherwise. While that thread is in a call by {@link
 * Intake#letThrough}, a second one calls {@link #settled} and {@link #committed}.
 */
public interface UpstreamReader {

    /** The loader that is to be the reader thread's context class loader. */
    default ClassLoader classLoader() {
        return getClass().getClassLoader();
    }

    /**
     * Opens the upstream at the committed source offset, before anything else. Again only after a start that failed and
     * the {@link #stop} that follows it.
     */
    void start();

    /**
     * Brings what there is, in order, into the intake; waits for about a second at most if there is nothing.
     *
     * @throws org.apache.kafka.connect.errors.RetriableException if it is worth trying again
     * @throws InterruptedException if the task stops
     */
    void fetch(Intake intake) throws InterruptedException;

    /**
     * How old the last event was, at the upstream, when {@link #fetch} read it, in milliseconds: 0 when nothing was to
     * be read, not a number where it cannot be known. Any thread.
     */
    default double lagMs() {
        return Double.NaN;
    }

    /**
     * Connect is done with this event and with every one before it. In the order in which they were fetched.
     *
     * @throws InterruptedException if the task stops
     */
    default void settled(SettledEvent event) throws InterruptedException {}

    /** What of an event is kept for {@link #settled}, where much has to be kept for long. */
    default Kept kept() {
        return Kept.PLACE;
    }

    /**
     * After the settled events of a round: how far Connect is.
     *
     * @throws InterruptedException if the task stops
     */
    default void committed(Progress progress) throws InterruptedException {}

    /**
     * The task has stopped waiting for this reader, and a successor may run: whatever call is under way must confirm
     * nothing more to the upstream. Any thread.
     */
    default void abandon() {}

    /** Closes the upstream; also after a start that failed. Only a new {@link #start} may follow such a one. */
    void stop();
}
