package io.microbatch.testbed.failpoint;

/** What happens at an armed failpoint, once. */
public enum FailpointAction {
    /** The JVM ends with code 137, as after a kill: no shutdown hook, no flush. */
    HALT,
    /** The thread hangs, deaf to interrupts, until the point is disarmed. */
    HANG,
    /** An unchecked exception. */
    THROW,
    /** An OutOfMemoryError. A thrown one, the heap is not filled. */
    OUT_OF_MEMORY,
    /** Only at {@link Failpoint#BEFORE_POLL_RETURNS}: one record of the batch is left out. A planted bug. */
    DROP,
    /** There, too: two neighbours of one source partition change places. A planted bug. */
    SWAP,
    /** There, too: one record is there twice. A planted bug. */
    DUPLICATE,
    /** There, too: one record, whose value has to be bytes, has another last byte. A planted bug. */
    ALTER,
    /**
     * Only at {@link Failpoint#POLL_RETURNS}: a poll that has nothing returns what the task returned last once more. A
     * planted bug, which only a check beyond the end can see.
     */
    REPEAT_LAST
}
