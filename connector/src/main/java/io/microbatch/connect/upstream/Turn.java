package io.microbatch.connect.upstream;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.MDC;

/**
 * Decides which thread notifies an upstream of acknowledgements: the reader thread, except during a call that may wait
 * for an acknowledgement. Then a second thread does it, as in an at-least-once worker. One lock guards everything that
 * belongs to the reader, so that everything but the call itself behaves as on one thread.
 */
final class Turn {

    /** A call that lasts longer than this may wait for an acknowledgement. */
    private static final long BUSY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The longest pause while events are on their way. Connect may be paused for hours. */
    private static final long LONGEST_BUSY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The number of pauses that stay short. The first acknowledgement usually comes during them. */
    private static final int SHORT_PAUSES = 100;

    /** The pause while no event is on its way, when only a commit can be due. */
    private static final long IDLE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Notification notification;
    private final BooleanSupplier outstanding;
    private final Consumer<Throwable> failing;
    private final LongConsumer parking;
    private final Map<String, String> logContext = MDC.getCopyOfContextMap();
    private volatile Thread helper;
    private volatile boolean ended;

    /** The number of calls. Written by the reader thread. */
    private volatile long calls;

    private volatile boolean inCall;
    private volatile boolean idle;

    /** The pause while events are on their way. Written by the second thread. */
    private volatile long busyPauseNanos = BUSY_PAUSE_NANOS;

    /** The busy pauses since the last acknowledgement or the begin of the call. Second thread. */
    private int quietPauses;

    /** The failure of the second thread: a VirtualMachineError or a ConnectException. Null while it works. */
    private volatile Throwable failure;

    /** Notifies the upstream of all acknowledgements. */
    @FunctionalInterface
    interface Notification {
        /** Returns whether there were any. */
        boolean run() throws InterruptedException;
    }

    /**
     * Prepares the second thread, which starts with the first call. All functions are called with the lock held.
     *
     * @param outstanding whether Connect is not done with all events
     * @param failing gets the failure of the second thread at once. The reader's call may never return after it, or be
     *     interrupted by a stop. If it returns, the reader thread throws the same failure
     */
    Turn(Notification notification, BooleanSupplier outstanding, Consumer<Throwable> failing) {
        this(notification, outstanding, failing, LockSupport::parkNanos);
    }

    /** The same with another way to pause for a number of nanoseconds, on the second thread. */
    Turn(Notification notification, BooleanSupplier outstanding, Consumer<Throwable> failing, LongConsumer parking) {
        this.notification = notification;
        this.outstanding = outstanding;
        this.failing = failing;
        this.parking = parking;
    }

    /** Takes the turn until {@link #end}, except during calls. Reader thread. */
    void take() {
        lock.lock();
    }

    /** Releases the turn and ends the second thread. Reader thread. */
    void end() {
        ended = true;
        LockSupport.unpark(helper);
        lock.unlock();
    }

    /** Makes a call, during which the second thread may take the turn. Reader thread, which has the turn. */
    <T> T leaveDuring(Intake.Call<T> call) throws InterruptedException {
        rethrow();
        if (helper == null) {
            helper = new Thread(this::run, Thread.currentThread().getName() + "-acks");
            helper.setDaemon(true);
            helper.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            helper.start();
        }
        boolean rests = idle || busyPauseNanos > BUSY_PAUSE_NANOS;
        boolean wake = rests && outstanding.getAsBoolean();
        long begun = calls + 1;
        calls = begun;
        inCall = true;
        if (wake) {
            idle = false;
        }
        lock.unlock();
        if (wake) {
            LockSupport.unpark(helper);
        }
        T result;
        try {
            result = call.call();
        } finally {
            // A hook that hangs on the second thread blocks this one, as in an exactly-once worker.
            lock.lock();
            inCall = false;
        }
        rethrow();
        return result;
    }

    private void rethrow() {
        Throwable thrown = failure;
        if (thrown instanceof VirtualMachineError error) {
            throw error;
        }
        if (thrown instanceof ConnectException known) {
            throw known;
        }
    }

    /** Interrupts the second thread, which may hang in the upstream. Any thread. */
    void interruptHelper() {
        Thread current = helper;
        if (current != null) {
            current.interrupt();
        }
    }

    /** Ends the second thread, although the reader thread may never return from its call. Any thread. */
    void abandon() {
        ended = true;
        LockSupport.unpark(helper);
    }

    boolean isDuringCall() {
        return inCall;
    }

    private void run() {
        if (logContext != null) {
            MDC.setContextMap(logContext);
        }
        long seenCalls = -1;
        while (!ended) {
            long begun = calls;
            boolean isNew = begun != seenCalls;
            seenCalls = begun;
            boolean happened = isNew;
            if (!isNew && inCall && lock.tryLock()) {
                try {
                    happened = notifyDuringCall();
                } finally {
                    lock.unlock();
                }
            }
            // Between calls too: the reader may wait for room in its stripe.
            parking.accept(idle ? IDLE_PAUSE_NANOS : nextBusyPauseNanos(happened));
            // Clears an interruption, which is meant for a hook. An interrupted thread does not park.
            boolean ignored = Thread.interrupted();
        }
    }

    private long nextBusyPauseNanos(boolean happened) {
        // Limited, because a connector may be paused for months.
        quietPauses = happened ? 0 : Math.min(SHORT_PAUSES + 1, quietPauses + 1);
        busyPauseNanos =
                quietPauses <= SHORT_PAUSES ? BUSY_PAUSE_NANOS : Math.min(LONGEST_BUSY_PAUSE_NANOS, 2 * busyPauseNanos);
        return busyPauseNanos;
    }

    private boolean notifyDuringCall() {
        if (!inCall || ended) {
            return false;
        }
        boolean happened = false;
        try {
            happened = notification.run();
            idle = !outstanding.getAsBoolean();
        } catch (InterruptedException e) {
            end(e);
        } catch (Throwable t) {
            // Errors too: the reader rethrows them.
            end(t);
        }
        return happened;
    }

    private void end(Throwable cause) {
        failure = cause instanceof VirtualMachineError
                ? cause
                : new ConnectException("The upstream could not be notified of acknowledgements", cause);
        ended = true;
        failing.accept(failure);
    }
}
