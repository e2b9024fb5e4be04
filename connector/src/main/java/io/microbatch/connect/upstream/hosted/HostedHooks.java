package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.SettledEvent;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two hooks of a hosted task. What they throw is logged and swallowed, as Connect does, errors and interruptions
 * too: a reader that is to stop is also notified by other means than an interruption. Only an error of the virtual
 * machine goes on, since it may be the reader's own. One thread at a time, but for {@link #abandon}.
 */
final class HostedHooks {

    private static final Logger log = LoggerFactory.getLogger(HostedHooks.class);

    private static final String FAILED = "The hosted task's {} failed; its upstream may send events again";

    private final SourceTask task;
    private volatile boolean abandoned;

    HostedHooks(SourceTask task) {
        this.task = task;
    }

    void commitRecord(SettledEvent event) {
        if (abandoned) {
            return;
        }
        call("commitRecord", () -> task.commitRecord(event.origin(), event.metadata()));
    }

    void commit() {
        if (abandoned) {
            return;
        }
        call("commit", task::commit);
    }

    @FunctionalInterface
    private interface Hook {
        void run() throws InterruptedException;
    }

    private static void call(String name, Hook hook) {
        try {
            hook.run();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (InterruptedException e) {
            // Connect does not stop a task by this, and neither does a reader end by it alone.
            log.error(FAILED, name, e);
        } catch (Throwable t) {
            log.error(FAILED, name, t);
        }
    }

    /** Calls neither hook any more: a call that is under way, and returns late, is the last. Any thread. */
    void abandon() {
        abandoned = true;
    }
}
