package io.microbatch.connect.upstream;

import org.slf4j.Logger;

/**
 * Says that something is tried again and again, ever more rarely, since an outage may take hours and a retry a tenth of
 * a second: the first, second, fourth, eighth retry in a row and so on as a warning, the others for debugging. One
 * thread.
 */
public final class RetryLog {

    private final Logger log;
    private final String what;
    private long retries;

    /**
     * Speaks of one thing.
     *
     * @param what what asks for a retry
     */
    public RetryLog(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    /**
     * It asks for a retry once more.
     *
     * @param pauseMs after which pause it gets one, in milliseconds
     * @param cause what it asked with, whose stack trace goes into the log
     */
    public void asked(long pauseMs, Exception cause) {
        retries++;
        if (Long.bitCount(retries) == 1) {
            log.warn("{} asks for a retry, number {} in a row; the next in {} ms", what, retries, pauseMs, cause);
        } else {
            log.debug("{} asks for a retry, number {} in a row; the next in {} ms", what, retries, pauseMs, cause);
        }
    }

    /** It did what it was asked to. */
    public void succeeded() {
        if (retries > 0) {
            log.info("{} has gone on after {} retries", what, retries);
            retries = 0;
        }
    }
}
