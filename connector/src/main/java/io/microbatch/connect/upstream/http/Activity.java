package io.microbatch.connect.upstream.http;

import java.util.concurrent.TimeUnit;

/**
 * Whether a client sends requests, so that another one may come soon. A client that has sent none for a second does
 * not. It may use a new connection for each request, so that an activity goes on after the end of its connection. One
 * connection; its event loop.
 */
final class Activity {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Admission admission;
    private boolean isActive;
    private long lastNanos;

    Activity(Admission admission) {
        this.admission = admission;
    }

    /** The connection sends a request, or has sent all of it. */
    void begins(long nowNanos) {
        lastNanos = nowNanos;
        if (!isActive) {
            isActive = true;
            admission.becameActive();
        }
    }

    /** A request has ended. */
    void ends(long nowNanos) {
        lastNanos = nowNanos;
    }

    /**
     * Ends the activity if the last request has begun or ended long ago. Called while the connection has no request on
     * its way. Returns whether the activity has ended, now or before.
     */
    boolean endIfIdle(long nowNanos) {
        if (isActive && nowNanos - lastNanos > PAUSE_NANOS) {
            isActive = false;
            admission.becameIdle();
        }
        return !isActive;
    }
}
