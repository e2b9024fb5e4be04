package io.microbatch.connect.upstream;

import org.slf4j.Logger;

/**
 * What has ended a reader. The task thread reports it at a poll. It is logged before, because Connect does not poll a
 * paused task, and a stop or a new configuration loses what the task has not reported. Written by the reader thread and
 * its second thread, one at a time, and read by any.
 */
final class ReaderFailure {

    private final Logger log;
    private volatile Throwable cause;

    ReaderFailure(Logger log) {
        this.log = log;
    }

    /** Takes what a reader has thrown. An interruption is no failure where the reader was to stop. */
    void thrown(Throwable thrown, boolean stopping) {
        boolean isKnown = thrown.equals(cause);
        if (isKnown || (stopping && thrown instanceof InterruptedException)) {
            return;
        }
        // First, because the log may fail, too, where memory has run out.
        cause = thrown;
        if (stopping) {
            log.debug("The upstream of this task has failed while the task stops", thrown);
        } else {
            log.warn("The upstream of this task has failed; the task reports it at its next poll", thrown);
        }
    }

    /** The failure. Null while the reader runs or if it ended on request. */
    Throwable cause() {
        return cause;
    }
}
