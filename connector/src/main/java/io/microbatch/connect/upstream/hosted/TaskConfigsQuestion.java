package io.microbatch.connect.upstream.hosted;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.MDC;

/**
 * Asks a hosted connector for its task configurations on a separate thread and waits a limited time for the answer. A
 * distributed worker asks on the thread that also answers its REST requests and keeps its place in the group. A
 * connector that hangs there would take the whole worker with it.
 *
 * <p>A worker without an answer asks again, at growing intervals. It then gets the answer of the call that is still
 * under way. So a slow connector does not fail, and a hanging one occupies one thread. If the connector has requested
 * new tasks since that call began, a new call is made, because the old answer may lack them.
 *
 * <p>A standalone worker asks on the thread on which the connector has requested new tasks. That thread may hold a lock
 * that the answer needs, so that it asks the connector itself, and no other thread does.
 *
 * <p>Asked by the herder's thread, cancelled by the connector's, outdated by any.
 */
final class TaskConfigsQuestion {

    private static final long FIRST_WAIT_MS = 10_000;
    private static final long NEXT_WAIT_MS = 1_000;

    private final long firstWaitMs;
    private final long nextWaitMs;
    private FutureTask<List<Map<String, String>>> pending;
    private int pendingMaxTasks;
    private boolean outdated;

    /** Set on a thread on which the connector requests new tasks. */
    private final ThreadLocal<Boolean> requesting = new ThreadLocal<>();

    TaskConfigsQuestion() {
        this(FIRST_WAIT_MS, NEXT_WAIT_MS);
    }

    TaskConfigsQuestion(long firstWaitMs, long nextWaitMs) {
        this.firstWaitMs = firstWaitMs;
        this.nextWaitMs = nextWaitMs;
    }

    /**
     * Returns the answer, or that of an earlier call for the same number of tasks that is late and not out of date.
     * Throws ConnectException if there is no answer in time, or what the connector threw.
     */
    List<Map<String, String>> ask(int maxTasks, Callable<List<Map<String, String>>> call) {
        if (requesting.get() != null) {
            return answerHere(call);
        }
        FutureTask<List<Map<String, String>>> late = pending(maxTasks);
        if (late != null) {
            List<Map<String, String>> answer = answer(late, nextWaitMs);
            if (!isOutdated()) {
                return answer;
            }
        }
        return answer(begin(maxTasks, call), firstWaitMs);
    }

    private static List<Map<String, String>> answerHere(Callable<List<Map<String, String>>> call) {
        try {
            return call.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ConnectException("The hosted connector failed to report its tasks", e);
        }
    }

    /** Runs the connector's request for new tasks, during which the worker may ask on the same thread. */
    void whileRequested(Runnable request) {
        Boolean before = requesting.get();
        requesting.set(true);
        try {
            request.run();
        } finally {
            if (before == null) {
                requesting.remove();
            }
        }
    }

    /** The connector has requested new tasks. */
    synchronized void outdate() {
        outdated = true;
    }

    private List<Map<String, String>> answer(FutureTask<List<Map<String, String>>> asked, long waitMs) {
        try {
            List<Map<String, String>> answer = asked.get(waitMs, TimeUnit.MILLISECONDS);
            forget(asked);
            return answer;
        } catch (TimeoutException e) {
            throw new ConnectException(
                    "The hosted connector has not reported its tasks yet. A distributed worker asks again; on a "
                            + "standalone worker restart the connector when its source answers",
                    e);
        } catch (ExecutionException e) {
            forget(asked);
            throw e.getCause() instanceof RuntimeException known
                    ? known
                    : new ConnectException("The hosted connector failed to report its tasks", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("Interrupted while the hosted connector was asked for its tasks", e);
        }
    }

    private synchronized FutureTask<List<Map<String, String>>> pending(int maxTasks) {
        return pendingMaxTasks == maxTasks ? pending : null;
    }

    private synchronized boolean isOutdated() {
        return outdated;
    }

    private synchronized FutureTask<List<Map<String, String>>> begin(
            int maxTasks, Callable<List<Map<String, String>>> call) {
        cancel();
        Map<String, String> logContext = MDC.getCopyOfContextMap();
        FutureTask<List<Map<String, String>>> begun = new FutureTask<>(() -> {
            if (logContext != null) {
                MDC.setContextMap(logContext);
            }
            return call.call();
        });
        Thread thread = new Thread(begun, Thread.currentThread().getName() + "-task-configs");
        thread.setDaemon(true);
        pending = begun;
        pendingMaxTasks = maxTasks;
        outdated = false;
        thread.start();
        return begun;
    }

    private synchronized void forget(FutureTask<List<Map<String, String>>> answered) {
        if (pending == answered) {
            pending = null;
        }
    }

    /** Interrupts a call that has not answered, because the connector stops. */
    synchronized void cancel() {
        if (pending != null) {
            boolean ignored = pending.cancel(true);
            pending = null;
        }
    }
}
