package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.CommitHorizon;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeWriter;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * What a reader thread does: start, then fetch and acknowledge in turn, then stop, all of it on this thread, since
 * hosted tasks may assume that Connect calls them on one. Whatever goes wrong is kept for the task thread.
 */
final class ReaderLoop implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ReaderLoop.class);
    private static final long RETRY_MS = 100;

    private final UpstreamReader reader;
    private final StripeWriter<EventRecord> stripe;
    private final CommitHorizon horizon;
    private final AckLedger ledger = new AckLedger();
    private final ArrayDeque<EventRecord> settled = new ArrayDeque<>();
    private final Intake intake;
    private final CountDownLatch stopRequested = new CountDownLatch(1);

    /** The worker marks a task thread's log lines with the task; those of its readers belong to it as well. */
    private final Map<String, String> logContext = MDC.getCopyOfContextMap();

    private boolean started;
    private volatile Throwable failure;

    ReaderLoop(UpstreamReader reader, StripeWriter<EventRecord> stripe, CommitHorizon horizon, LongSupplier nanoClock) {
        this.reader = reader;
        this.stripe = stripe;
        this.horizon = horizon;
        this.intake = new Intake(stripe, ledger, nanoClock, this::acknowledge, reader::handingOver);
    }

    @Override
    public void run() {
        Thread.currentThread().setContextClassLoader(reader.classLoader());
        if (logContext != null) {
            MDC.setContextMap(logContext);
        }
        try {
            reader.start();
            started = true;
            while (stopRequested.getCount() > 0) {
                fetch();
                acknowledge();
            }
        } catch (InterruptedException e) {
            if (stopRequested.getCount() > 0) {
                failure = e;
            }
        } catch (Throwable t) {
            // Errors too: a reader that died of memory must fail its task and not look idle.
            failure = t;
        } finally {
            finish();
        }
    }

    private void fetch() throws InterruptedException {
        try {
            reader.fetch(intake);
        } catch (RetriableException | org.apache.kafka.common.errors.RetriableException e) {
            log.warn("The upstream asks for a retry; fetching again in {} ms", RETRY_MS, e);
            boolean stopping = stopRequested.await(RETRY_MS, TimeUnit.MILLISECONDS);
            log.debug("Fetching again, stopping={}", stopping);
        }
    }

    private void acknowledge() throws InterruptedException {
        ledger.drainSettled(settled::addLast);
        while (!settled.isEmpty()) {
            reader.settled(settled.pollFirst());
        }
        reader.committed(horizon.durableBeforeNanos(), horizon.commits());
    }

    private void finish() {
        // The stop of a hosted task may do I/O that an interrupt would spoil.
        boolean interrupted = Thread.interrupted();
        try {
            if (started) {
                acknowledge();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Throwable t) {
            // Errors too: whatever a hosted class answers, it must be stopped and its stripe closed.
            log.warn(
                    "The last acknowledgements could not be given to the upstream; it will send their events again", t);
        }
        try {
            reader.stop();
        } catch (Throwable t) {
            log.warn("The upstream did not stop in order", t);
            if (failure == null && stopRequested.getCount() > 0) {
                failure = t;
            }
        } finally {
            stripe.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Asks the loop to end after the current fetch. Any thread. */
    void requestStop() {
        stopRequested.countDown();
        stripe.close();
    }

    /** Whether the reader waits to be told that everything is drained. Task thread. */
    boolean isBoundaryPending() {
        return reader.isBoundaryPending();
    }

    /** Everything that was handed over is with Connect. Task thread. */
    void drained() {
        reader.drained();
    }

    /** Why the reader ended, unless it was asked to; null while it runs well. Any thread. */
    Throwable failure() {
        return failure;
    }

    /** How many events Connect is not done with. Any thread. */
    int ledgerDepth() {
        return ledger.depth();
    }
}
