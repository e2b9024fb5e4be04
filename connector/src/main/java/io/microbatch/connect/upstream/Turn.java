package io.microbatch.connect.upstream;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
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

    /** The pause while no event is on its way, when only a commit can be due. */
    private static final long IDLE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Notification notification;
    private final BooleanSupplier outstanding;
    private final long idlePauseNanos;
    private final Map<String, String> logContext = MDC.getCopyOfContextMap();
    private volatile Thread helper;
    private volatile boolean ended;

    /** The number of calls. Written by the reader thread. */
    private volatile long calls;

    private volatile boolean inCall;
    private volatile boolean idle;

    /** The failure of the second thread. */
    private volatile Throwable failure;

    /** Notifies the upstream of all acknowledgements. */
    @FunctionalInterface
    interface Notification {
        void run() throws InterruptedException;
    }

    /**
     * Prepares the second thread, which starts with the first call. Both functions are called with the lock held.
     *
     * @param outstanding whether Connect is not done with all events
     */
    Turn(Notification notification, BooleanSupplier outstanding) {
        this(notification, outstanding, IDLE_PAUSE_NANOS);
    }

    /** The same with another pause while no event is on its way. */
    Turn(Notification notification, BooleanSupplier outstanding, long idlePauseNanos) {
        this.notification = notification;
        this.outstanding = outstanding;
        this.idlePauseNanos = idlePauseNanos;
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
        boolean wake = idle && outstanding.getAsBoolean();
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
        if (thrown != null) {
            throw new ConnectException("The upstream could not be notified of acknowledgements", thrown);
        }
    }

    /**
     * The failure of the second thread. Null while it works. After a failure the reader's call may never return. Any
     * thread.
     */
    Throwable failure() {
        return failure;
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
            boolean lasts = inCall && begun == seenCalls;
            seenCalls = begun;
            if (lasts && lock.tryLock()) {
                try {
                    notifyDuringCall();
                } finally {
                    lock.unlock();
                }
            }
            LockSupport.parkNanos(this, idle ? idlePauseNanos : BUSY_PAUSE_NANOS);
            // Clears an interruption, which is meant for a hook. An interrupted thread does not park.
            boolean ignored = Thread.interrupted();
        }
    }

    private void notifyDuringCall() {
        if (!inCall || ended) {
            return;
        }
        try {
            notification.run();
            idle = !outstanding.getAsBoolean();
        } catch (InterruptedException e) {
            end(e);
        } catch (Throwable t) {
            // Errors too: the reader rethrows them.
            end(t);
        }
    }

    private void end(Throwable cause) {
        failure = cause;
        ended = true;
    }
}
