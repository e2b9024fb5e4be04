package io.microbatch.connect.upstream.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What is remembered of a request with an {@code Idempotency-Key}: a hash of principal, topic and key, and a shorter
 * one of what was asked. Immutable; any thread.
 *
 * @param id which key it is
 * @param content the first 8 bytes of the SHA-256 of target, media type and body
 */
record RequestKey(Id id, long content) {

    /** The longest key of a client, in bytes. */
    static final int MAX_BYTES = 255;

    /** The bytes of a key in a segment. */
    static final int BYTES = 3 * Long.BYTES;

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

    /** The hashes of a request with this key. The target is that of the request line. */
    static RequestKey of(
            String principal, String topic, String key, String target, String mediaType, byte[] body, int size) {
        MessageDigest sha = sha256();
        add(sha, principal);
        add(sha, topic);
        add(sha, key);
        ByteBuffer id = ByteBuffer.wrap(sha.digest());
        add(sha, target);
        add(sha, mediaType == null ? "" : mediaType);
        sha.update(body, 0, size);
        return new RequestKey(
                new Id(id.getLong(), id.getLong()),
                ByteBuffer.wrap(sha.digest()).getLong());
    }

    /** Adds a text with its length, so that no two lists of texts have equal bytes. */
    private static void add(MessageDigest sha, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        sha.update(bytes);
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
