package io.microbatch.connect.upstream.http;

import io.microbatch.connect.ack.EventRecord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
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

    /** The client's connection. Its methods may be called by any thread and do not wait or throw. */
    interface Client {

        /** All records of a request are settled. */
        void settled(PendingRequest request);

        /** The reader does not take a request, and this is the answer. Runs the count if it is given. */
        void notTaken(PendingRequest request, Answer answer, Runnable count);
    }

    private final String topic;
    private final Deadline deadline;
    private final Client client;
    private final RequestKey key;
    private final Places places;

    /** The events until the reader takes them. Event loop, then reader. */
    private List<HttpEvent> events;

    /** The first event as it was handed over. Written by the reader before {@link #offer} is visible to others. */
    private volatile EventRecord first;

    /** What else is to be done when it is settled. Written by the reader before the task can see the records. */
    private Runnable afterwards = () -> {};

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    /**
     * A request of at least one event.
     *
     * @param key the key by which a repeat is recognized, or null
     */
    PendingRequest(String topic, List<HttpEvent> events, Deadline deadline, RequestKey key, Client client) {
        this.topic = topic;
        this.events = events;
        this.deadline = deadline;
        this.key = key;
        this.client = client;
        this.places = new Places(events.size());
    }

    String topic() {
        return topic;
    }

    Deadline deadline() {
        return deadline;
    }

    /** The key by which a repeat is recognized, or null. */
    RequestKey key() {
        return key;
    }

    /** Where Kafka has the records, as far as it is known. */
    Places places() {
        return places;
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

    /** Runs this when Connect is done with all records, on any thread. It must not wait or throw. Reader thread. */
    void whenSettled(Runnable action) {
        afterwards = action;
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
        if (!STATE.compareAndSet(this, QUEUED, ANSWERED)) {
            return false;
        }
        // It stays in the inbox until the reader comes to it. The reader does not use the events of an answered one.
        events = null;
        return true;
    }

    /** Whether it keeps its events. They belong to the reader or to the event loop, so that another thread may err. */
    boolean holdsEvents() {
        return events != null;
    }

    /** Ends it if the reader has taken it and nobody has ended it. Event loop. */
    boolean answerOffered() {
        return STATE.compareAndSet(this, OFFERED, ANSWERED);
    }

    boolean isAnswered() {
        return (int) STATE.getAcquire(this) == ANSWERED;
    }

    /**
     * Gives the answer without taking the request. Reader thread.
     *
     * @param count counts the answer; it runs on the event loop, unless the request is answered already
     */
    void answerWith(Answer answer, Runnable count) {
        client.notTaken(this, answer, count);
    }

    /** Connect is done with one record. Null metadata means that Kafka does not have it. Any thread, once a record. */
    void settled(int record, RecordMetadata metadata) {
        if (places.settled(record, metadata)) {
            client.settled(this);
            afterwards.run();
        }
    }
}
