package io.microbatch.connect.upstream.http;

/**
 * What the parsers of bodies read of a request's head. Immutable; any thread, but the headers belong to the parsing
 * thread.
 *
 * @param path the endpoint, the partition in the path and the key in the query
 * @param topic the topic as {@link Access} allows it
 * @param contentType the header {@code Content-Type} as sent, or null
 * @param headers the headers of the request
 */
record RequestHead(RequestPath path, Access.Topic topic, String contentType, RequestHeaders headers) {}
