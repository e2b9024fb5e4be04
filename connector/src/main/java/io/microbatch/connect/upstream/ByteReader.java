package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.EventRun;

/**
 * An upstream whose events are bytes that need no converter: with bulk records it writes them into its stripe, without
 * an object for each.
 */
public interface ByteReader extends UpstreamReader {

    /**
     * Brings what there is, in order, into the intake; waits for about a second at most if there is nothing.
     *
     * @throws org.apache.kafka.connect.errors.RetriableException if it is worth trying again
     * @throws InterruptedException if the task stops
     */
    void fetch(ByteIntake intake) throws InterruptedException;

    /**
     * Connect is done with these events and with every one before them. In the order in which they were published.
     *
     * @throws InterruptedException if the task stops
     */
    default void settled(EventRun run) throws InterruptedException {}
}
