package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.SettledEvent;
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
 * What a reader thread does: start, then fetch and acknowledge in turn, then stop. A second thread acknowledges while a
 * fetch is in a call that may wait for that, see {@link Turn}. Whatever goes wrong is kept for the task thread.
 */
final class ReaderLoop implements Runnable, Progress {

    private static final Logger log = LoggerFactory.getLogger(ReaderLoop.class);
    private static final long RETRY_MS = 100;

    /** Events in flight may hold this many times the stripe's bytes before settled ones are reduced. */
    private static final long HELD_STRIPES = 2;

    private final UpstreamReader reader;
    private final RecordConversion conversion;
    private final StripeWriter<EventRecord> stripe;
    private final AckLedger ledger;
    private final Intake intake;

    /** Settled events that the reader is not notified of yet; with the turn. */
    private final ArrayDeque<SettledEvent> settled = new ArrayDeque<>();

    private final DurableWatermark watermark;
    private final CountDownLatch stopRequested = new CountDownLatch(1);
    private final RetryLog retries = new RetryLog(log, "The upstream");

    /** The worker marks a task thread's log lines with the task; those of its readers belong to it as well. */
    private final Map<String, String> logContext = MDC.getCopyOfContextMap();

    private final LongSupplier nanoClock;
    private final Turn turn = new Turn(this::acknowledge, this::isOutstanding);
    private final Handover handover;

    /** Whether a fetch may hold events that it has not handed over yet; with the turn. */
    private boolean handingOver;

    /** What the handover said before the last acknowledgements were taken; with the turn. */
    private boolean dispatched;

    private boolean released;

    private boolean started;
    private volatile Throwable failure;

    /** The task no longer waits for this reader, and a successor may run: nothing may be confirmed any more. */
    private volatile boolean abandoned;

    private final Object closingLock = new Object();

    /** Whether the upstream is being closed; under the lock. */
    private boolean closing;

    ReaderLoop(
            UpstreamReader reader,
            RecordConversion conversion,
            StripeWriter<EventRecord> stripe,
            DurableWatermark watermark,
            LongSupplier nanoClock) {
        this.reader = reader;
        this.conversion = conversion;
        this.stripe = stripe;
        this.watermark = watermark;
        this.nanoClock = nanoClock;
        this.ledger = new AckLedger(
                HELD_STRIPES * stripe.progress().capacityBytes(),
                event -> reader.kept().of(event));
        this.intake = new Intake(stripe, ledger, nanoClock, this::acknowledge, conversion, turn);
        this.handover = new Handover(stripe.progress());
    }

    @Override
    public void run() {
        Thread.currentThread().setContextClassLoader(reader.classLoader());
        if (logContext != null) {
            MDC.setContextMap(logContext);
        }
        turn.take();
        try {
            open();
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

    private void open() throws InterruptedException {
        StartRetry retry = new StartRetry(nanoClock);
        while (!started) {
            try {
                conversion.open();
                reader.start();
                started = true;
            } catch (RuntimeException e) {
                if (stopRequested.getCount() == 0) {
                    log.debug("The upstream did not open, and need not any more", e);
                    throw new InterruptedException("The task stops");
                }
                long pauseMs = retry.pauseMsAfter(e);
                if (pauseMs < 0) {
                    throw e;
                }
                log.warn(
                        "The upstream cannot be opened yet, perhaps because a predecessor of this task still holds it; "
                                + "waiting for it since {} ms and for {} ms at most, trying again in {} ms",
                        retry.waitedMs(),
                        StartRetry.LIMIT_MS,
                        pauseMs,
                        e);
                closeAfterFailedStart();
                if (stopRequested.await(pauseMs, TimeUnit.MILLISECONDS)) {
                    throw new InterruptedException("The task stops");
                }
            }
        }
        if (retry.waitedMs() > 0) {
            log.info("The upstream is open, after waiting for it for {} ms", retry.waitedMs());
        }
    }

    private void closeAfterFailedStart() {
        try {
            close();
        } catch (RuntimeException e) {
            log.debug("An upstream that had not opened did not close in order", e);
        }
    }

    private void close() {
        try {
            reader.stop();
        } finally {
            conversion.close();
        }
    }

    private void fetch() throws InterruptedException {
        handingOver = true;
        try {
            reader.fetch(intake);
            retries.succeeded();
        } catch (RetriableException | org.apache.kafka.common.errors.RetriableException e) {
            retries.asked(RETRY_MS, e);
            boolean stopping = stopRequested.await(RETRY_MS, TimeUnit.MILLISECONDS);
            log.debug("Fetching again, stopping={}", stopping);
        } finally {
            handingOver = false;
        }
    }

    private void acknowledge() throws InterruptedException {
        // Before the acknowledgements are taken: what is released was settled before, and the reader is
        // notified of it first.
        dispatched = handover.isDispatched();
        released = handover.isReleased();
        int ignored = ledger.drainSettled(settled::addLast);
        while (!settled.isEmpty() && !abandoned) {
            reader.settled(settled.removeFirst());
        }
        if (!abandoned) {
            reader.committed(this);
        }
    }

    /** Whether Connect is not done with all that was handed over, or the reader was not notified of it. */
    private boolean isOutstanding() {
        return !settled.isEmpty() || !ledger.isEmpty();
    }

    @Override
    public long durableBeforeNanos() {
        return watermark.durableBeforeNanos();
    }

    @Override
    public long commits() {
        return watermark.commits();
    }

    @Override
    public boolean isAllSettled() {
        return isAllAcknowledged() || (released && isAllHandedOver());
    }

    @Override
    public boolean isAllAcknowledged() {
        return !isOutstanding() && isAllHandedOver();
    }

    @Override
    public boolean isAllDispatched() {
        // Whatever is acknowledged: commit comes behind the acknowledgements, and the next poll behind commit. An event
        // that is held does not count, since only the next fetch can tell whether it may go.
        return dispatched && isFetchOver();
    }

    private boolean isAllHandedOver() {
        return !intake.isHolding() && isFetchOver();
    }

    /** Whether the upstream has given out nothing that is still on its way into the stripe. */
    private boolean isFetchOver() {
        return !handingOver || turn.isDuringCall();
    }

    @Override
    public boolean isAtLeastOnce() {
        return watermark.isAtLeastOnce();
    }

    @Override
    public boolean isDuringCall() {
        return turn.isDuringCall();
    }

    @Override
    public boolean isTooMuchKept() {
        return ledger.keptBytes() > stripe.progress().capacityBytes();
    }

    private void finish() {
        boolean interrupted = Thread.interrupted();
        try {
            // Not after the memory ran out: an acknowledgement may have been taken off the ledger and lost, and
            // the next one would then confirm more than is known.
            if (started && !(failure instanceof VirtualMachineError)) {
                acknowledge();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Throwable t) {
            // Errors too: whatever a hosted class answers, it must be stopped and its stripe closed.
            log.warn(
                    "The last acknowledgements could not be given to the upstream; it will send their events again", t);
        }
        synchronized (closingLock) {
            closing = true;
            interrupted |= Thread.interrupted();
        }
        try {
            close();
            if (abandoned) {
                log.info("An abandoned reader has closed its upstream");
            }
        } catch (Throwable t) {
            log.warn("The upstream did not stop in order", t);
            if (failure == null && stopRequested.getCount() > 0) {
                failure = t;
            }
        } finally {
            stripe.close();
            turn.end();
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

    /**
     * Interrupts the thread that runs this loop, unless that is closing the upstream: the stop of a hosted task waits
     * for its own threads, and one that is interrupted there gives up with connections left open. Any thread.
     */
    void interrupt(Thread runner) {
        synchronized (closingLock) {
            if (!closing) {
                runner.interrupt();
                turn.interruptHelper();
            }
        }
    }

    /** The task does not wait any longer: whenever the upstream comes back, it is only to be closed. Any thread. */
    void abandon() {
        abandoned = true;
        turn.abandon();
        reader.abandon();
    }

    /** Connect has called poll. Task thread. */
    void polled() {
        handover.polled();
    }

    /** Connect has called commit on the task thread. */
    void committedOnTaskThread() {
        handover.committed();
    }

    /** Why the reader ended, unless it was asked to; null while it runs well. Any thread. */
    Throwable failure() {
        Throwable own = failure;
        return own == null ? turn.failure() : own;
    }

    /** How many events Connect is not done with. Any thread. */
    int ledgerDepth() {
        return ledger.depth();
    }
}
