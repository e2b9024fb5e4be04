package io.microbatch.bench.http;

/** What a client knows of a request when it has ended. */
public enum Outcome {
    /** Answered with 200: all of it is in Kafka. */
    WRITTEN,
    /** Refused: nothing of it is in Kafka. */
    NOT_WRITTEN,
    /** No answer, or one that leaves it open. */
    UNKNOWN;

    /**
     * Of an answer.
     *
     * @param status the HTTP status
     * @param hasError whether the body names an error of a record
     */
    public static Outcome of(int status, boolean hasError) {
        if (status == 200) {
            return hasError ? UNKNOWN : WRITTEN;
        }
        // 409: an earlier request with the same key is on its way, and may get there.
        boolean refused = (status >= 400 && status < 500 && status != 409) || status == 503;
        return refused ? NOT_WRITTEN : UNKNOWN;
    }
}
