package io.microbatch.connect.upstream.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Percent-encoding. Stateless; any thread. */
final class Percent {

    private Percent() {}

    /**
     * The bytes of an encoded text whose characters are bytes (ISO 8859-1).
     *
     * @param plusIsSpace as in a query
     * @throws Refusal 400 if a percent sign has no two hexadecimal digits behind it
     */
    static byte[] decode(String text, boolean plusIsSpace) throws Refusal {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            byte next = bytes[i];
            if (next == '%') {
                next = i + 2 < bytes.length ? hex(bytes[i + 1], bytes[i + 2]) : hex((byte) 0, (byte) 0);
                i += 2;
            } else if (next == '+' && plusIsSpace) {
                next = ' ';
            }
            bytes[length++] = next;
        }
        return Arrays.copyOf(bytes, length);
    }

    private static byte hex(byte high, byte low) throws Refusal {
        // Not for digits of other alphabets: a byte above 127 is negative, and never one of them.
        int value = Character.digit((char) high, 16) << 4 | Character.digit((char) low, 16);
        if (high <= 0 || low <= 0 || value < 0) {
            throw Refusal.malformed("The percent-encoding is not complete.");
        }
        return (byte) value;
    }
}
