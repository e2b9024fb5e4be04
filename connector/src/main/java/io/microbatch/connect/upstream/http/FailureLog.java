package io.microbatch.connect.upstream.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what happens to connections: each kind of failure and each limit once a minute, because clients cause them. Any
 * thread.
 */
final class FailureLog {

    private static final Logger log = LoggerFactory.getLogger(FailureLog.class);
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The classes of failures, and the limits. */
    private final Map<Object, Long> loggedNanos = new ConcurrentHashMap<>();

    /** Logs the failure of a connection, unless one of its class was logged in the last minute. */
    void log(Throwable failure) {
        if (tryAcquire(failure, System.nanoTime())) {
            log.warn(
                    "A connection failed and is closed: {}. More of these are not logged for a minute",
                    failure.getClass().getName());
            // The message may contain what a client has sent, so that it is not in the log by default.
            log.debug("The failure of that connection", failure);
        }
    }

    /** Logs that a connection is closed because of a limit, unless that was logged in the last minute. */
    void log(ConnectionLimit limit) {
        if (tryAcquire(limit, System.nanoTime())) {
            log.warn(
                    "A new connection is closed without an answer, because {} is reached. {} counts such "
                            + "connections. More of them are not logged for a minute",
                    limit.text(),
                    HttpMetric.CLOSED_TOTAL.label());
        }
    }

    /** Whether this failure may be logged. If so, the others of its class may not for a minute. */
    boolean tryAcquire(Throwable failure, long nowNanos) {
        return tryAcquireKind(failure.getClass(), nowNanos);
    }

    /** Whether it may be logged that this limit is reached. If so, it may not for a minute. */
    boolean tryAcquire(ConnectionLimit limit, long nowNanos) {
        return tryAcquireKind(limit, nowNanos);
    }

    private boolean tryAcquireKind(Object kind, long nowNanos) {
        boolean[] isDue = {false};
        Long ignored = loggedNanos.compute(kind, (same, lastNanos) -> {
            isDue[0] = lastNanos == null || nowNanos - lastNanos >= PAUSE_NANOS;
            return isDue[0] ? Long.valueOf(nowNanos) : lastNanos;
        });
        return isDue[0];
    }
}
