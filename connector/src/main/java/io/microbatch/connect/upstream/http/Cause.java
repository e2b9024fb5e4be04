package io.microbatch.connect.upstream.http;

/**
 * Why a request is not answered with success, as far as it is not the client's mistake. Each says whether its records
 * may be in Kafka. Immutable; any thread.
 */
enum Cause {
    /** Too much waits for Kafka. */
    FULL(503, 50301, "full", "Too many requests or bytes wait for Kafka. Nothing of this request is written."),

    /** Connect does not poll the task: it is paused, or a send does not return. */
    STALLED(
            503,
            50302,
            "stalled",
            "The task is paused, or Kafka takes no records. Nothing of this request is written."),

    /** The task stops. */
    STOPPING(503, 50303, "stopping", "The task stops. Nothing of this request is written."),

    /** No answer in time is possible. */
    SHORT(503, 50304, "short", "The timeout is shorter than Kafka usually takes. Nothing of this request is written."),

    /** The deadline passed before the task had the records. */
    LATE(503, 50305, "late", "The timeout passed before the task had the records. Nothing of this request is written."),

    /** The task ended, and Connect had the records. */
    FAILED(500, 50001, "failed", "The task failed or stopped. It is unknown whether Kafka has the records."),

    /** The deadline passed, and Connect had the records. */
    UNKNOWN(504, 50401, "unknown", "The timeout passed. It is unknown whether Kafka has the records."),

    /** The head or the body took too long. */
    SLOW(408, 40801, "slow", "The request took too long to arrive. Nothing of it is written."),

    /** The client's address has too many connections. */
    CONNECTIONS(
            429, 42901, "connections", "Too many connections from this address. Nothing of this request is written."),

    /** The key is on its way with another request. */
    CONFLICT(409, 40901, "conflict", "A request with this Idempotency-Key is on its way. Ask again.");

    private final int status;
    private final int errorCode;
    private final String label;
    private final String message;

    Cause(int status, int errorCode, String label, String message) {
        this.status = status;
        this.errorCode = errorCode;
        this.label = label;
        this.message = message;
    }

    int status() {
        return status;
    }

    int errorCode() {
        return errorCode;
    }

    /** The value of the tag in metrics. */
    String label() {
        return label;
    }

    String message() {
        return message;
    }

    /** Whether the records may be in Kafka. */
    boolean isUnknown() {
        return this == FAILED || this == UNKNOWN;
    }
}
