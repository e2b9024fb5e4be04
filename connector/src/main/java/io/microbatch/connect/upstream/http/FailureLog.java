package io.microbatch.connect.upstream.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which failures of connections are logged: each kind once a minute, because clients cause them. Any thread. */
final class FailureLog {

    private static final Logger log = LoggerFactory.getLogger(FailureLog.class);
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Class<?>, Long> loggedNanos = new ConcurrentHashMap<>();

    /** Logs the failure of a connection, unless one of its class was logged in the last minute. */
    void log(Throwable failure) {
        if (isDue(failure, System.nanoTime())) {
            log.warn(
                    "A connection failed and is closed: {}. More of these are not logged for a minute",
                    failure.getClass().getName());
            // The message may contain what a client has sent, so that it is not in the log by default.
            log.debug("The failure of that connection", failure);
        }
    }

    /** Whether this failure is to be logged. If so, the others of its class are not for a minute. */
    boolean isDue(Throwable failure, long nowNanos) {
        boolean[] isDue = {false};
        Long ignored = loggedNanos.compute(failure.getClass(), (kind, lastNanos) -> {
            isDue[0] = lastNanos == null || nowNanos - lastNanos >= PAUSE_NANOS;
            return isDue[0] ? Long.valueOf(nowNanos) : lastNanos;
        });
        return isDue[0];
    }
}
