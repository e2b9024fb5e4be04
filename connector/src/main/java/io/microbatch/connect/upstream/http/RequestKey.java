package io.microbatch.connect.upstream.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;

/**
 * What is remembered of a request with an {@code Idempotency-Key}: a hash of principal, topic and key, and a shorter
 * one of what was asked. Immutable; any thread.
 *
 * @param id which key it is
 * @param content the first 8 bytes of the SHA-256 of the events, without headers that differ between attempts
 */
record RequestKey(Id id, long content) {

    /** The longest key of a client, in bytes. */
    static final int MAX_BYTES = 255;

    /** The bytes of a key in a segment. */
    static final int BYTES = 3 * Long.BYTES;

    /** The headers of a trace. A client gives each attempt of a request its own. */
    private static final Set<String> OF_ATTEMPT = Set.of("traceparent", "tracestate");

    private static final int NO_BYTES = -1;

    /** Stands for a key that was forgotten. */
    static final RequestKey NONE = new RequestKey(new Id(0, 0), 0);

    /** The first 16 bytes of the SHA-256 of principal, topic and key. */
    record Id(long high, long low) {}

    /**
     * The key of a client, with or without quotes.
     *
     * @throws Refusal 400 if it is empty or too long
     */
    static String checked(String header) throws Refusal {
        boolean isQuoted = header.length() > 1 && header.startsWith("\"") && header.endsWith("\"");
        String key = isQuoted ? header.substring(1, header.length() - 1) : header;
        if (key.isEmpty() || key.length() > MAX_BYTES) {
            throw Refusal.malformed("An Idempotency-Key has 1 to " + MAX_BYTES + " bytes.");
        }
        return key;
    }

    /** The hashes of a request with this key. Compression, spelling of JSON and endpoint do not count. */
    static RequestKey of(String principal, String topic, String key, List<HttpEvent> events) {
        MessageDigest sha = sha256();
        add(sha, principal);
        add(sha, topic);
        add(sha, key);
        ByteBuffer id = ByteBuffer.wrap(sha.digest());
        for (HttpEvent event : events) {
            add(sha, event);
        }
        return new RequestKey(
                new Id(id.getLong(), id.getLong()),
                ByteBuffer.wrap(sha.digest()).getLong());
    }

    private static void add(MessageDigest sha, HttpEvent event) {
        add(sha, event.key());
        add(sha, event.value());
        add(sha, event.partition() == null ? Integer.MIN_VALUE : event.partition());
        add(sha, event.timestampMs() == null ? Long.MIN_VALUE : event.timestampMs());
        List<HttpHeader> headers = event.headers().stream()
                .filter(header -> !OF_ATTEMPT.contains(header.name()))
                .toList();
        add(sha, headers.size());
        for (HttpHeader header : headers) {
            add(sha, header.name());
            add(sha, header.value());
        }
    }

    private static void add(MessageDigest sha, String text) {
        add(sha, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds bytes with their length, so that no two lists are added as equal bytes. */
    private static void add(MessageDigest sha, byte[] bytes) {
        add(sha, bytes == null ? NO_BYTES : bytes.length);
        if (bytes != null) {
            sha.update(bytes);
        }
    }

    private static void add(MessageDigest sha, long number) {
        sha.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    boolean isNone() {
        return equals(NONE);
    }

    /** Writes the key's bytes. */
    void writeTo(ByteBuffer buffer) {
        ByteBuffer ignored = buffer.putLong(id.high()).putLong(id.low()).putLong(content);
    }

    /** Reads what {@link #writeTo} wrote. */
    static RequestKey readFrom(ByteBuffer buffer) {
        return new RequestKey(new Id(buffer.getLong(), buffer.getLong()), buffer.getLong());
    }
}
