package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.EventRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two hooks of a hosted task, whose exceptions are logged and swallowed as Connect does. Reader thread, but for
 * {@link #abandon}.
 */
final class HostedHooks {

    private static final Logger log = LoggerFactory.getLogger(HostedHooks.class);

    private final SourceTask task;
    private volatile boolean abandoned;

    HostedHooks(SourceTask task) {
        this.task = task;
    }

    void commitRecord(EventRecord event) throws InterruptedException {
        if (abandoned) {
            return;
        }
        try {
            task.commitRecord(event.origin(), event.metadata());
        } catch (RuntimeException e) {
            log.error("The hosted task's commitRecord failed; its upstream may send the event again", e);
        }
    }

    void commit() throws InterruptedException {
        if (abandoned) {
            return;
        }
        try {
            task.commit();
        } catch (RuntimeException e) {
            log.error("The hosted task's commit failed; its upstream may send events again", e);
        }
    }

    /** Calls neither hook any more: a call that is under way, and returns late, is the last. Any thread. */
    void abandon() {
        abandoned = true;
    }
}
