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
 * The loop of a reader thread: start, then fetch and acknowledge in turn, then stop. A second thread acknowledges
 * during a call that may wait for acknowledgements, see {@link Turn}. A failure is kept for the task thread.
 */
final class ReaderLoop implements Runnable, Progress {

    private static final Logger log = LoggerFactory.getLogger(ReaderLoop.class);
    private static final long RETRY_MS = 100;
    private static final long PAUSE_MS = 10;

    /** After this silence of the upstream, the age of its last event says nothing of the present. */
    private static final double MAX_LAG_SILENCE_MS = 60_000;

    /** Events in flight may hold this many times the stripe's bytes. Above that, settled events are reduced. */
    private static final long HELD_STRIPES = 2;

    private final UpstreamReader reader;
    private final RecordConversion conversion;
    private final StripeWriter<EventRecord> stripe;
    private final AckLedger ledger;
    private final Intake intake;
    private final DurableWatermark watermark;
    private final CountDownLatch stopRequested = new CountDownLatch(1);
    private final RetryLog retries = new RetryLog(log, "The upstream");
    private final LongSupplier nanoClock;
    private final Turn turn;
    private final Handover handover;

    /** Settled events that the reader is not notified of yet. Guarded by the turn. */
    private final ArrayDeque<SettledEvent> settled = new ArrayDeque<>();

    /** The worker's log context of the task, which also applies to its readers. */
    private final Map<String, String> logContext = MDC.getCopyOfContextMap();

    /**
     * Whether a fetch may hold events that it has not handed over yet. It stays true after a fetch that has failed or
     * was interrupted: the upstream may have taken events that it will never return. Guarded by the turn.
     */
    private boolean handingOver;

    /** The handover's answers before the last acknowledgements were taken. Guarded by the turn. */
    private boolean dispatched;

    private boolean released;
    private boolean started;

    /** Whether nothing was read before the last acknowledgements, because too much is kept. */
    private boolean keptTooMuch;

    private final ReaderFailure failure;

    /**
     * Whether the task no longer waits for this reader. A successor may run, so that nothing may be confirmed any more.
     */
    private volatile boolean abandoned;

    private final Object closingLock = new Object();

    /** Whether the upstream is being closed. Guarded by the lock. */
    private boolean closing;

    ReaderLoop(
            UpstreamReader reader,
            RecordConversion conversion,
            StripeWriter<EventRecord> stripe,
            DurableWatermark watermark,
            LongSupplier nanoClock,
            ReaderFailure failure) {
        this.reader = reader;
        this.conversion = conversion;
        this.stripe = stripe;
        this.watermark = watermark;
        this.nanoClock = nanoClock;
        this.failure = failure;
        this.turn = new Turn(
                this::acknowledge,
                this::isOutstanding,
                thrown -> failure.thrown(thrown, stopRequested.getCount() == 0));
        this.ledger = new AckLedger(
                HELD_STRIPES * stripe.progress().capacityBytes(),
                event -> reader.keptPart().of(event));
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
                if (isTooMuchKept()) {
                    pause();
                } else {
                    fetch();
                }
                acknowledge();
            }
        } catch (InterruptedException e) {
            // The failure of another reader closes this stripe, too.
            failure.thrown(e, stopRequested.getCount() == 0 || stripe.isClosed());
        } catch (Throwable t) {
            // Errors too: a reader that ran out of memory must fail its task.
            failure.thrown(t, stopRequested.getCount() == 0);
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
                    log.debug("The upstream did not open, and is no longer needed", e);
                    throw new InterruptedException("The task stops");
                }
                long pauseMs = retry.pauseMsAfter(e);
                if (pauseMs < 0) {
                    throw e;
                }
                log.warn(
                        "The upstream cannot be opened yet, perhaps because a predecessor of this task still holds it; "
                                + "waited {} ms of at most {} ms, next attempt in {} ms",
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
            log.info("The upstream is open after a wait of {} ms", retry.waitedMs());
        }
    }

    private void closeAfterFailedStart() {
        try {
            close();
        } catch (RuntimeException e) {
            log.debug("An upstream that had not opened did not close cleanly", e);
        }
    }

    private void close() {
        try {
            reader.stop();
        } finally {
            conversion.close();
        }
    }

    /**
     * Whether settled events that wait for an earlier unsettled event take more bytes than a stripe may. The producer
     * never gives up, so that they would become more for as long as the upstream has events.
     */
    private boolean isTooMuchKept() {
        boolean isTooMuch = ledger.keptBytes() > stripe.progress().capacityBytes();
        if (isTooMuch && !keptTooMuch) {
            log.warn("An event that Kafka has not acknowledged delays the acknowledgement of later ones, "
                    + "which use as much memory as a stripe may (stripe.max.bytes). Nothing more is read "
                    + "until it is acknowledged. Look for a topic partition without a leader");
        }
        keptTooMuch = isTooMuch;
        return isTooMuch;
    }

    /** Nobody listens to the upstream meanwhile: its silence is ours. */
    private void pause() throws InterruptedException {
        intake.heard();
        boolean ignored = stopRequested.await(PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    private void fetch() throws InterruptedException {
        handingOver = true;
        try {
            reader.fetch(intake);
            handingOver = false;
            retries.succeeded();
        } catch (RetriableException | org.apache.kafka.common.errors.RetriableException e) {
            retries.asked(RETRY_MS, e);
            boolean ignored = stopRequested.await(RETRY_MS, TimeUnit.MILLISECONDS);
            handingOver = false;
        }
    }

    /** Returns whether the reader was notified of any event. */
    private boolean acknowledge() throws InterruptedException {
        // Read before the acknowledgements are taken: released events were settled before, and the reader is notified
        // of their settlement first.
        dispatched = handover.isDispatched();
        released = handover.isReleased();
        int drained = ledger.drainSettled(settled::addLast);
        while (!settled.isEmpty() && !abandoned) {
            reader.settled(settled.removeFirst());
        }
        if (!abandoned) {
            reader.committed(this);
        }
        return drained > 0;
    }

    /** Whether Connect is not done with all events, or the reader was not notified of all. */
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
        // Independent of acknowledgements: commit follows them, and the next poll follows commit. A held event does not
        // count, because only the next fetch decides whether it is handed over.
        return dispatched && isFetchOver();
    }

    private boolean isAllHandedOver() {
        return !intake.isHolding() && isFetchOver();
    }

    /** Whether no event of the upstream is on its way into the stripe. */
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

    /**
     * The task still delivers what was read before a failure. It is acknowledged, as Connect would have before the poll
     * that has failed: otherwise the upstream would send it again. Connect stops a failed task.
     */
    private void acknowledgeUntilStopped() throws InterruptedException {
        acknowledge();
        stripe.close(); // wakes the task thread
        while (stopRequested.getCount() > 0 && isOutstanding()) {
            boolean ignored = stopRequested.await(PAUSE_MS, TimeUnit.MILLISECONDS);
            acknowledge();
        }
    }

    private void finish() {
        boolean interrupted = Thread.interrupted();
        try {
            // Not after an out-of-memory error: an acknowledgement may have been lost, and the next one would confirm
            // too much.
            if (started && !(failure() instanceof VirtualMachineError)) {
                acknowledgeUntilStopped();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Throwable t) {
            // Errors too: the upstream must be stopped and its stripe closed in any case.
            log.warn(
                    "The upstream could not be notified of the last acknowledgements; it will send their events again",
                    t);
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
            log.warn("The upstream did not stop cleanly", t);
        } finally {
            stripe.close();
            turn.end();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Announces the stop to the reader, and asks the loop to end after the current fetch. Task thread. */
    void requestStop() {
        try {
            if (stopRequested.getCount() > 0) {
                announceStop();
            }
        } finally {
            stopRequested.countDown();
            stripe.close();
        }
    }

    private void announceStop() {
        try {
            reader.stopping();
        } catch (RuntimeException e) {
            log.warn("The upstream failed at the announcement of the stop, which goes on", e);
        }
    }

    /**
     * Interrupts the thread that runs this loop, unless it is closing the upstream: an interrupted stop of a hosted
     * task may leave connections open. Any thread.
     */
    void interrupt(Thread runner) {
        synchronized (closingLock) {
            if (!closing) {
                Interruption.send(runner);
                turn.interruptHelper();
            }
        }
    }

    /** The task does not wait any longer. When the upstream returns, it is only closed. Any thread. */
    void abandon() {
        abandoned = true;
        turn.abandon();
        reader.abandon();
    }

    /** Connect has called poll. Task thread. */
    void polled() {
        handover.polled();
    }

    void committedOnTaskThread() {
        handover.committed();
    }

    /** The failure of the reader. Null while it runs or if it ended on request. Any thread. */
    Throwable failure() {
        return failure.cause();
    }

    /** The number of events that Connect is not done with. It looks at each event in flight. Any thread. */
    int ledgerDepth() {
        return ledger.depth();
    }

    /** The time since the upstream was heard, in milliseconds. Any thread. */
    double silentMs() {
        return intake.silentMs();
    }

    /** The lag of the reader. Not a number if the upstream does not tell it, or is silent for a minute. Any thread. */
    double lagMs() {
        return silentMs() > MAX_LAG_SILENCE_MS ? Double.NaN : reader.lagMs();
    }
}
