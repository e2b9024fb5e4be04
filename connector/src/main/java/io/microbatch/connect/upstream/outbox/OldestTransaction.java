package io.microbatch.connect.upstream.outbox;

/** How long the oldest writing transaction of the server has been seen running. One thread. */
final class OldestTransaction {

    private boolean isSeen;
    private long xid;
    private long sinceNanos;

    /** The time since the snapshot's oldest transaction was first seen running, in nanoseconds. 0 if none runs. */
    long seenForNanos(Snapshot snapshot, long nowNanos) {
        // Without one xmin is the id that the next transaction gets, which may have been that for long.
        if (!snapshot.hasRunning()) {
            isSeen = false;
            return 0;
        }
        if (!isSeen || snapshot.xmin() != xid) {
            isSeen = true;
            xid = snapshot.xmin();
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos;
    }
}
