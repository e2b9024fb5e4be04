package io.microbatch.testbed.failpoint;

/** The action of an armed failpoint. It happens once. */
public enum FailpointAction {
    /** Ends the JVM with code 137, as after a kill: no shutdown hook, no flush. */
    HALT,
    /** Blocks the thread, which ignores interrupts, until the point is disarmed. */
    HANG,
    /** Throws an unchecked exception. */
    THROW,
    /** Throws an OutOfMemoryError. The heap is not full. */
    OUT_OF_MEMORY,
    /** Omits one record of the batch. A planted bug, only at {@link Failpoint#BEFORE_POLL_RETURNS}. */
    DROP,
    /** Swaps two neighbours of one source partition. A planted bug at the same point. */
    SWAP,
    /** Repeats one record. A planted bug at the same point. */
    DUPLICATE,
    /** Changes the last byte of one record, whose value must be bytes. A planted bug at the same point. */
    ALTER,
    /**
     * Returns the last record of the task once more from a poll without events. A planted bug, only at {@link
     * Failpoint#POLL_RETURNS}. Only a check beyond the end can detect it.
     */
    REPEAT_LAST
}
