package io.microbatch.connect.upstream.http;

/**
 * What the head of a request asks for, after everything that a head can be refused for was checked. Event loop.
 *
 * @param path the endpoint
 * @param head what the parser of the body needs; null for an endpoint that takes no events
 * @param timeoutMs how long the client waits
 * @param lengthBytes the length of the body, -1 if the head does not say it
 */
record Ask(RequestPath path, RequestHead head, long timeoutMs, long lengthBytes) {

    boolean takesEvents() {
        return head != null;
    }
}
