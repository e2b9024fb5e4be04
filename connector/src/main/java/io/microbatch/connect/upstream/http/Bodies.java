package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpConfig;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Makes events of a request's body, by endpoint and media type. Immutable; any thread.
 *
 * <p>The bytes of JSON values, lines and plain bodies are copied as they were sent and never written anew.
 */
final class Bodies {

    /**
     * Takes what it needs of the configuration.
     *
     * @param config the limits, the headers to copy, and whether records may bring a timestamp
     * @param epochMillis the time in milliseconds since 1970, against which a client's timestamp is checked
     */
    Bodies(HttpConfig config, LongSupplier epochMillis) {
        throw new UnsupportedOperationException(config.host() + epochMillis);
    }

    /**
     * Checks what is known before the body: media type, content encoding, partition in the path and the headers that
     * become record headers.
     *
     * @throws Refusal 415, 422, 400 or 404
     */
    void checkHead(RequestHead head) throws Refusal {
        throw new UnsupportedOperationException();
    }

    /**
     * The events of a complete body, at least one. The events share no bytes with the given array. A body with {@code
     * Content-Encoding: gzip} is given as it was sent.
     *
     * @throws Refusal if any part of the body is refused; then nothing of it may be written
     */
    List<HttpEvent> parse(RequestHead head, byte[] body, int offset, int length) throws Refusal {
        throw new UnsupportedOperationException();
    }
}
