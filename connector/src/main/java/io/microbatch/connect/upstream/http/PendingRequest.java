package io.microbatch.connect.upstream.http;

import io.microbatch.connect.ack.EventRecord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * A complete request whose client waits for an answer. Its state is one word:
 * <pre>
 *   QUEUED ──reader──▶ OFFERED ──event loop──▶ ANSWERED
 *      └───────────────event loop─────────────────▲
 * </pre>
 * The reader offers it to the task. The connection's event loop answers it. A request that is answered while it is
 * queued is never written.
 *
 * <p>Threads: the event loop creates it and passes it to the reader through the inbox. Whichever threads settle its
 * records write the places, and count down. The thread that settles the last record passes it back to the event loop.
 */
final class PendingRequest {

    private static final int QUEUED = 0;
    private static final int OFFERED = 1;
    private static final int ANSWERED = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(PendingRequest.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Gets a request back when all its records are settled. Any thread; must not wait or throw. */
    @FunctionalInterface
    interface Settled {
        void allSettled(PendingRequest request);
    }

    private final String topic;
    private final Deadline deadline;
    private final Settled settled;
    private final int records;
    private final AtomicInteger open;

    /** The place of each record. Null entries for records that Kafka did not get. Ordered by {@link #open}. */
    private final RecordMetadata[] places;

    /** The events until the reader takes them. Event loop, then reader. */
    private List<HttpEvent> events;

    /** The first event as it was handed over. Written by the reader before {@link #offer} is visible to others. */
    private volatile EventRecord first;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    /** The events, at least one, and the function that gets this request back. */
    PendingRequest(String topic, List<HttpEvent> events, Deadline deadline, Settled settled) {
        this.topic = topic;
        this.events = events;
        this.deadline = deadline;
        this.settled = settled;
        this.records = events.size();
        this.open = new AtomicInteger(records);
        this.places = new RecordMetadata[records];
    }

    String topic() {
        return topic;
    }

    Deadline deadline() {
        return deadline;
    }

    int records() {
        return records;
    }

    /** Takes it for the task. Returns its events, or null if it is answered already. Reader thread. */
    List<HttpEvent> offer() {
        List<HttpEvent> taken = events;
        return STATE.compareAndSet(this, QUEUED, OFFERED) ? taken : null;
    }

    /** The events are with the task and need not be kept here. Reader thread. */
    void handedOver() {
        events = null;
    }

    /** The task is about to see this event. Only the first one is kept. Reader thread. */
    void becomesVisible(EventRecord event) {
        if (first == null) {
            first = event;
        }
    }

    /**
     * Whether Connect may have got the records. Final only after the task thread has stopped polling, which happens
     * before this call.
     */
    boolean hasLeft() {
        EventRecord event = first;
        return event != null && event.batch() != null;
    }

    /** Ends it if the reader has not taken it. Then nothing of it is ever written. Event loop. */
    boolean answerQueued() {
        return STATE.compareAndSet(this, QUEUED, ANSWERED);
    }

    /** Ends it if the reader has taken it and nobody has ended it. Event loop. */
    boolean answerOffered() {
        return STATE.compareAndSet(this, OFFERED, ANSWERED);
    }

    boolean isAnswered() {
        return (int) STATE.getAcquire(this) == ANSWERED;
    }

    /** Connect is done with one record. Null metadata means that Kafka does not have it. Any thread, once a record. */
    void settled(int record, RecordMetadata metadata) {
        places[record] = metadata;
        if (open.decrementAndGet() == 0) {
            settled.allSettled(this);
        }
    }

    /** Whether every record is settled. After that the places are final. */
    boolean isSettled() {
        return open.get() == 0;
    }

    /** The place of a record of a settled request. Null if Kafka does not have it. */
    RecordMetadata place(int record) {
        return places[record];
    }
}
