package io.microbatch.connect.upstream.http;

import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.HttpConfig;
import io.microbatch.connect.config.HttpLimits;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Decides whether a request may come in, and knows what is in flight: bodies that arrive or wait, and requests that are
 * not answered. Any thread.
 */
final class Admission {

    /** The longest time that refused clients are told to wait at least. It is up to twice as long. */
    private static final int LONG_RETRY_AFTER_SEC = 15;

    /** After a refusal for lack of room, for so long more requests are taken to come than fit. */
    private static final long CROWDED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The part of the settled rate that a second contributes. */
    private static final double SMOOTHING = 0.3;

    private final HttpLimits limits;
    private final long stallNanos;
    private final TaskPace pace;
    private final LongSupplier nanoClock;

    /** Requests whose clients wait. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** Requests that the reader has not taken from the inbox, answered ones too. */
    private final AtomicInteger queued = new AtomicInteger();

    /** The bytes of bodies that arrive, of the records of requests that are not answered, and of unread answers. */
    private final AtomicLong bytes = new AtomicLong();

    /** Connections that have sent a request within the last second, or wait for an answer. Closed ones too. */
    private final AtomicInteger active = new AtomicInteger();

    /** When a request was last refused for lack of room. */
    private volatile long crowdedNanos;

    private final LongAdder settledBytes = new LongAdder();
    private volatile double settledBytesPerSec;
    private volatile boolean open;
    private volatile boolean stopping;

    Admission(HttpConfig config, TaskPace pace, LongSupplier nanoClock) {
        this.limits = config.limits();
        this.stallNanos = TimeUnit.MILLISECONDS.toNanos(config.stallMs());
        this.pace = pace;
        this.nanoClock = nanoClock;
        this.crowdedNanos = nanoClock.getAsLong() - CROWDED_NANOS;
    }

    /** The reader takes requests from now on. */
    void open() {
        open = true;
    }

    /** No request comes in any more. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Why no request is taken at present. Null if requests are taken. */
    Cause unready() {
        if (stopping || !open) {
            return Cause.STOPPING;
        }
        return nanoClock.getAsLong() - pace.polledNanos() > stallNanos ? Cause.STALLED : null;
    }

    /**
     * Why a request is not taken. Null if it is.
     *
     * @param timeoutNanos how long its client waits
     * @param lengthBytes the length of its body, 0 if it is not known yet
     */
    Cause refusal(long timeoutNanos, long lengthBytes) {
        Cause unready = unready();
        if (unready != null) {
            return unready;
        }
        if (waiting.get() >= limits.inflightRequests()
                || queued.get() >= limits.inflightRequests()
                || bytes.get() + lengthBytes > limits.inflightBytes()) {
            turnedAway();
            return Cause.FULL;
        }
        // One request at a time is taken all the same: if all were refused, nothing would ever show that Kafka has
        // become faster.
        return timeoutNanos < pace.usualAckNanos() && waiting.get() > 0 ? Cause.SHORT : null;
    }

    /** The room for a request that takes so many bytes. One that takes more than all room gets all, if it is alone. */
    long atMost(long sizeBytes) {
        return Math.min(sizeBytes, limits.inflightBytes());
    }

    /** Takes room for bytes that have arrived, or that their records take. Whether there was room. */
    boolean reserve(long size) {
        if (bytes.addAndGet(size) <= limits.inflightBytes()) {
            return true;
        }
        release(size);
        turnedAway();
        return false;
    }

    /** Takes room for an answer that its client does not read yet, even if there is none. */
    void hold(long size) {
        long ignored = bytes.addAndGet(size);
    }

    /** A request was refused for lack of room. */
    void turnedAway() {
        crowdedNanos = nanoClock.getAsLong();
    }

    /** Gives room back. */
    void release(long size) {
        long ignored = bytes.addAndGet(-size);
    }

    /**
     * Counts a complete request that goes to the reader, unless the limit is reached: other requests may have become
     * complete since {@link #refusal}. Returns whether it may go.
     */
    boolean tryQueue() {
        int limit = limits.inflightRequests();
        // In this order, so that a request that is seen to wait is seen to be on its way too.
        int nowQueued = queued.incrementAndGet();
        int nowWaiting = waiting.incrementAndGet();
        if (nowQueued <= limit && nowWaiting <= limit) {
            return true;
        }
        int ignored = waiting.decrementAndGet() + queued.decrementAndGet();
        turnedAway();
        return false;
    }

    /** The reader has taken a request, which may be answered already. */
    void taken() {
        int ignored = queued.decrementAndGet();
    }

    /**
     * A request is answered.
     *
     * @param size its bytes
     * @param inKafka whether Kafka has it
     */
    void answered(long size, boolean inKafka) {
        int ignored = waiting.decrementAndGet();
        release(size);
        if (inKafka) {
            settledBytes.add(size);
        }
    }

    /** A connection has sent a request after a pause. */
    void becameActive() {
        int ignored = active.incrementAndGet();
    }

    /** A connection pauses, or has ended a while ago. */
    void becameIdle() {
        int ignored = active.decrementAndGet();
    }

    /**
     * Whether no request can come before an answer: the reader has taken all requests, and either every connection that
     * sends requests waits for an answer, or there is no room for another request.
     */
    boolean everybodyWaits() {
        return queued.get() == 0 && waiting.get() >= Math.min(active.get(), limits.inflightRequests());
    }

    /**
     * Whether requests were refused for lack of room a moment ago. Then more events come than Kafka takes, and a batch
     * that waits for more of them keeps others out.
     */
    boolean isCrowded() {
        return nanoClock.getAsLong() - crowdedNanos < CROWDED_NANOS;
    }

    /** Updates the rate. Called every second, by one thread at a time. */
    void tick() {
        double perSec = settledBytes.sumThenReset();
        double before = settledBytesPerSec;
        settledBytesPerSec = before + SMOOTHING * (perSec - before);
    }

    /**
     * After how many seconds a refused client should try again: about as long as Kafka takes for what is in flight, and
     * up to as long again, so that refused clients do not come back all at once.
     */
    int retryAfterSec() {
        double perSec = settledBytesPerSec;
        double seconds = perSec < 1 ? LONG_RETRY_AFTER_SEC : Math.ceil(bytes.get() / perSec);
        int shortest = (int) Math.max(1, Math.min(LONG_RETRY_AFTER_SEC, bytes.get() == 0 ? 1 : seconds));
        return shortest + ThreadLocalRandom.current().nextInt(shortest + 1);
    }

    /** Requests whose clients wait. */
    int inflightRequests() {
        return waiting.get();
    }

    /** The bytes of bodies that arrive, of the records of requests that are not answered, and of unread answers. */
    long inflightBytes() {
        return bytes.get();
    }
}
