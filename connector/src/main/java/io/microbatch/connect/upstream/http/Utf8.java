package io.microbatch.connect.upstream.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8. Java's own conversions replace what is not valid, without a word. Stateless; any thread. */
final class Utf8 {

    private static final int CHUNK_CHARS = 4_096;

    private Utf8() {}

    /**
     * Checks bytes.
     *
     * @throws Refusal 400 if they are not UTF-8
     */
    static void check(byte[] bytes, int offset, int length) throws Refusal {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        CharBuffer out = CharBuffer.allocate(Math.min(Math.max(length, 2), CHUNK_CHARS));
        CoderResult result = decoder.decode(in, out, true);
        while (result.isOverflow()) {
            out.clear();
            result = decoder.decode(in, out, true);
        }
        if (result.isError()) {
            throw Refusal.malformed("Byte " + (in.position() - offset) + " is not UTF-8.");
        }
    }

    /**
     * The bytes of a text.
     *
     * @throws Refusal 422 if half of a surrogate pair is missing, because no bytes stand for that
     */
    static byte[] bytes(String text) throws Refusal {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw Refusal.invalid("A text has half of a surrogate pair, which UTF-8 cannot express.");
                }
                i++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
