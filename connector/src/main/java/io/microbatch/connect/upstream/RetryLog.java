package io.microbatch.connect.upstream;

import org.slf4j.Logger;

/**
 * Logs retries ever more rarely, because an outage may take hours and a retry a tenth of a second. The first, second,
 * fourth, eighth retry in a row and so on are warnings, the others debug lines. One thread.
 */
public final class RetryLog {

    private final Logger log;
    private final String what;
    private long retries;

    /** Logs the retries of {@code what}, which is the start of the sentence. */
    public RetryLog(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    /** Logs one more request for a retry, with the cause's stack trace. The next attempt follows after the pause. */
    public void asked(long pauseMs, Exception cause) {
        retries++;
        if (Long.bitCount(retries) == 1) {
            log.warn("{} asks for a retry, number {} in a row; next attempt in {} ms", what, retries, pauseMs, cause);
        } else {
            log.debug("{} asks for a retry, number {} in a row; next attempt in {} ms", what, retries, pauseMs, cause);
        }
    }

    /** Logs the end of a series of retries. */
    public void succeeded() {
        if (retries > 0) {
            log.info("{} continues after {} retries", what, retries);
            retries = 0;
        }
    }
}
