package io.microbatch.connect.upstream.http;

import java.util.function.LongUnaryOperator;

/**
 * The times of a request, on the task's monotonic clock in nanoseconds. Immutable; any thread.
 *
 * @param arrivalNanos when its body was complete
 * @param timeoutNanos how long the client waits
 */
record Deadline(long arrivalNanos, long timeoutNanos) {

    /** The most that is reserved for the way of the answer. */
    private static final long MAX_RESERVE_NANOS = 50_000_000;

    private static final int RESERVED_PART = 10;

    /** When the client gets an answer at the latest. */
    long answerByNanos() {
        return arrivalNanos + timeoutNanos - Math.min(MAX_RESERVE_NANOS, timeoutNanos / RESERVED_PART);
    }

    /**
     * When the records should leave for Kafka, so that the answer comes in time.
     *
     * @param usableNanos the part of a budget that waiting and acknowledgement may use together
     * @param usualAckNanos how long an acknowledgement usually takes
     */
    long leaveByNanos(LongUnaryOperator usableNanos, long usualAckNanos) {
        return arrivalNanos + Math.max(0, usableNanos.applyAsLong(timeoutNanos) - usualAckNanos);
    }
}
