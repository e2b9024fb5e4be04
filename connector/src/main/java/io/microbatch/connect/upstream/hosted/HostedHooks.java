package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.SettledEvent;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the two hooks of a hosted task. What they throw is logged and swallowed, as Connect does. This includes
 * interruptions, because a stopping reader is notified by other means too. Only an error of the virtual machine is
 * rethrown, because it may concern the reader. One thread at a time, except {@link #abandon}.
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
            // An interruption alone stops neither Connect's task nor a reader.
            log.error(FAILED, name, e);
        } catch (Throwable t) {
            log.error(FAILED, name, t);
        }
    }

    /** Prevents further calls of the hooks. A call that is under way is the last. Any thread. */
    void abandon() {
        abandoned = true;
    }
}
