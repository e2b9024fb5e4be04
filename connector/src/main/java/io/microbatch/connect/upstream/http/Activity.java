package io.microbatch.connect.upstream.http;

import java.util.concurrent.TimeUnit;

/**
 * Whether a connection sends requests, so that another one may come soon. A connection that has sent none for a second
 * does not. One connection; its event loop.
 */
final class Activity {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Admission admission;
    private boolean isActive;
    private long lastNanos;

    Activity(Admission admission) {
        this.admission = admission;
    }

    /** The connection sends a request. */
    void begins() {
        if (!isActive) {
            isActive = true;
            admission.becameActive();
        }
    }

    /** A request has ended. */
    void ends(long nowNanos) {
        lastNanos = nowNanos;
    }

    /** Looks whether the last request has ended long ago. Called while the connection has no request. */
    void check(long nowNanos) {
        if (nowNanos - lastNanos > PAUSE_NANOS) {
            stop();
        }
    }

    /** The connection sends no requests for the present, or is closed. */
    void stop() {
        if (isActive) {
            isActive = false;
            admission.becameIdle();
        }
    }
}
