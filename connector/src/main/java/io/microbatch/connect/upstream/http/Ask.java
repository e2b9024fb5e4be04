package io.microbatch.connect.upstream.http;

import java.util.List;

/**
 * What the head of a request asks for, after everything that a head can be refused for was checked. Event loop.
 *
 * @param path the endpoint
 * @param head what the parser of the body needs; null for an endpoint that takes no events
 * @param timeoutMs how long the client waits
 * @param lengthBytes the length of the body, -1 if the head does not say it
 * @param repeat by what a repeat is recognized, or null
 */
record Ask(RequestPath path, RequestHead head, long timeoutMs, long lengthBytes, Repeat repeat) {

    /**
     * By what a repeat of a request is recognized.
     *
     * @param principal who sends it
     * @param key the client's {@code Idempotency-Key}
     */
    record Repeat(String principal, String key) {}

    boolean takesEvents() {
        return head != null;
    }

    /** The hashes of the request with these events, or null if no repeat is to be recognized. */
    RequestKey key(List<HttpEvent> events) {
        return repeat == null
                ? null
                : RequestKey.of(repeat.principal(), head.topic().name(), repeat.key(), events);
    }
}
