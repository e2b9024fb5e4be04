package io.microbatch.connect.upstream.hosted;

/** What decides when a hosted task may be polled, and when it gets a commit. */
enum TaskTrait {
    /** It may take commit as the acknowledgement of everything that it has returned. */
    ACKNOWLEDGES_ON_COMMIT,

    /** It may wait in its poll for a notification. */
    WAITS_FOR_NOTIFICATION,

    /** It defines its own transactions, for which it must be polled, and of which one may end within a batch. */
    DEFINES_TRANSACTIONS
}
