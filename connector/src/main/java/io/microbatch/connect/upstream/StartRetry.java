package io.microbatch.connect.upstream;

import java.net.BindException;
import java.nio.channels.OverlappingFileLockException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * Decides whether a failed start is retried, and after which pause. Reader thread.
 *
 * <p>An abandoned task may hold its port, file or slot for some time after its successor has started in the same
 * process. Failures that it causes end by themselves, but a FAILED task stays. So these failures are retried for a
 * limited time. Any other failure fails the task immediately.
 */
final class StartRetry {

    static final long LIMIT_MS = 120_000;

    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5_000;
    private static final int DEEPEST_CAUSE = 16;

    private final LongSupplier nanoClock;
    private long firstFailureNanos;
    private long pauseMs;

    StartRetry(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** The pause before the next attempt, in milliseconds. Negative for no attempt. */
    long pauseMsAfter(Throwable failure) {
        if (!passes(failure)) {
            return -1;
        }
        if (pauseMs == 0) {
            firstFailureNanos = nanoClock.getAsLong();
            pauseMs = FIRST_PAUSE_MS;
            return pauseMs;
        }
        if (waitedMs() >= LIMIT_MS) {
            return -1;
        }
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
        return pauseMs;
    }

    /** The time since the first failure, in milliseconds. 0 if there was none. */
    long waitedMs() {
        return pauseMs == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - firstFailureNanos);
    }

    private static boolean passes(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof RetriableException
                    || cause instanceof org.apache.kafka.common.errors.RetriableException
                    || cause instanceof BindException
                    || cause instanceof OverlappingFileLockException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
