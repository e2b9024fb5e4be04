package io.microbatch.connect.upstream.http;

import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The way of a connection's requests from the first byte of a body to the answer: the room that a request takes, its
 * deadline and its end. The connection's event loop calls all methods but those of the client.
 */
final class Exchange implements PendingRequest.Client {

    private final Service service;
    private final EventExecutor loop;
    private final Consumer<Answer> client;
    private long reservedBytes;
    private PendingRequest pending;
    private Future<?> timer;

    /** Passes the answer of each request to the client's connection. */
    Exchange(Service service, EventExecutor loop, Consumer<Answer> client) {
        this.service = service;
        this.loop = loop;
        this.client = client;
    }

    /** Takes room for a part of a body. Whether there was room. Takes nothing if the size is not positive. */
    boolean reserve(long sizeBytes) {
        boolean isTaken = sizeBytes <= 0 || service.admission().reserve(sizeBytes);
        reservedBytes += isTaken ? Math.max(0, sizeBytes) : 0;
        return isTaken;
    }

    /** Gives back the room of a body that is not needed. Has no effect while a request is on its way. */
    void release() {
        if (pending == null && reservedBytes > 0) {
            service.admission().release(reservedBytes);
            reservedBytes = 0;
        }
    }

    /** Whether a request is on its way. */
    boolean isUnderWay() {
        return pending != null;
    }

    /** Sends a complete request on its way. Returns the answer if it is refused, otherwise null. */
    Answer start(Ask ask, BodyBuffer body) {
        List<HttpEvent> events;
        RequestKey key;
        try {
            events = service.bodies().parse(ask.head(), body.bytes(), 0, body.size());
            key = ask.key(events);
        } catch (Refusal refusal) {
            service.figures().refusedToClient();
            return Answer.of(refusal);
        }
        // A compressed body and small records take more on the heap than their bytes did on the network.
        Admission admission = service.admission();
        if (!reserve(admission.atMost(heapBytes(events)) - reservedBytes) || !admission.tryQueue()) {
            release();
            return refused(Cause.FULL);
        }
        Deadline deadline = new Deadline(service.nowNanos(), TimeUnit.MILLISECONDS.toNanos(ask.timeoutMs()));
        pending = new PendingRequest(ask.head().topic().name(), events, deadline, key, this);
        watchDeadline(deadline.arrivalNanos());
        service.inbox().put(pending);
        return null;
    }

    /** The room of a request is given back with its answer, which takes room itself until its client has read it. */
    void answering(ChannelFuture written, Answer answer) {
        if (written.isDone()) {
            return;
        }
        long unreadBytes = answer.body().length;
        service.admission().hold(unreadBytes);
        // Called once, also if the connection ends before.
        Future<?> ignored = written.addListener(end -> service.admission().release(unreadBytes));
    }

    private static long heapBytes(List<HttpEvent> events) {
        long bytes = 0;
        for (HttpEvent event : events) {
            bytes += event.heapBytes();
        }
        return bytes;
    }

    /** Starts an exact timer shortly before the deadline. Until then it is to be called several times a second. */
    void watchDeadline(long nowNanos) {
        if (pending == null || timer != null) {
            return;
        }
        long leftNanos = pending.deadline().answerByNanos() - nowNanos;
        if (leftNanos < 2 * LoopConnections.SWEEP_NANOS) {
            PendingRequest watched = pending;
            timer = loop.schedule(() -> expire(watched), Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
        }
    }

    private void expire(PendingRequest request) {
        refuse(Cause.LATE, request::answerQueued);
        refuse(Cause.UNKNOWN, request::answerOffered);
    }

    /** Ends a request, if this call still can. The answer comes first: without it the request must not end. */
    private void refuse(Cause cause, BooleanSupplier ending) {
        Answer answer = answer(cause);
        if (ending.getAsBoolean()) {
            service.figures().ended(cause);
            finish(answer, false);
        }
    }

    @Override
    public void settled(PendingRequest request) {
        onLoop(() -> {
            if (!request.isAnswered()) {
                // Before the request ends: if the answer cannot be made, the deadline still ends it.
                Answer answer = Answer.settled(request.places());
                if (request.answerOffered()) {
                    finish(answer, answer.status() == Answer.OK);
                }
            }
        });
    }

    @Override
    public void notTaken(PendingRequest request, Answer answer, Runnable count) {
        onLoop(() -> {
            if (request.answerQueued()) {
                count.run();
                finish(answer, false);
            }
        });
    }

    private void onLoop(Runnable answering) {
        try {
            loop.execute(answering);
        } catch (RejectedExecutionException e) {
            // The server is closed. It has answered every request before that.
        }
    }

    private void finish(Answer answer, boolean inKafka) {
        pending = null;
        service.admission().answered(reservedBytes, inKafka);
        reservedBytes = 0;
        if (timer != null) {
            boolean ignored = timer.cancel(false);
            timer = null;
        }
        client.accept(answer);
    }

    /** The answer to a request that is not served for this cause. Counts it. */
    Answer refused(Cause cause) {
        service.figures().ended(cause);
        return answer(cause);
    }

    private Answer answer(Cause cause) {
        return Answer.of(cause, service.admission().retryAfterSec());
    }

    /** Refuses a request that the reader has not taken. */
    void refuseQueued(Cause cause) {
        if (pending != null) {
            refuse(cause, pending::answerQueued);
        }
    }

    /** The request that is on its way, or null. */
    PendingRequest pending() {
        return pending;
    }

    /** Ends a request that the reader has taken. */
    void end(PendingRequest request, Cause cause) {
        refuse(cause, request::answerOffered);
    }
}
