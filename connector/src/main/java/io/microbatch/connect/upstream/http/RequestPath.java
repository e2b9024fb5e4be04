package io.microbatch.connect.upstream.http;

/**
 * What the target of a request names. Immutable; any thread.
 *
 * @param kind what is asked for
 * @param topic the topic's name as sent, without percent-encoding, or null
 * @param partition the partition in the path, or null
 * @param key the bytes of the query's {@code key}, or null
 */
record RequestPath(Kind kind, String topic, Integer partition, byte[] key) {

    /** The endpoints. */
    enum Kind {
        /** {@code GET /}. */
        ROOT,
        /** {@code GET /health/live} and {@code /healthy}. */
        LIVE,
        /** {@code GET /health/ready} and {@code /ready}. */
        READY,
        /** {@code POST /topics/{topic}}, with or without {@code /partitions/{n}}. */
        RECORDS,
        /** {@code POST /events/{topic}}. */
        EVENTS;

        /** The only method of the endpoint. Another one is answered with 405 and this one in {@code Allow}. */
        String method() {
            return this == RECORDS || this == EVENTS ? "POST" : "GET";
        }
    }

    /**
     * Reads the target of the request line, for example {@code /events/orders?key=4711}.
     *
     * @throws Refusal 404 for an unknown path, 422 for a partition that is no partition number, 400 for bad
     *     percent-encoding
     */
    static RequestPath parse(String target) throws Refusal {
        throw new UnsupportedOperationException();
    }
}
