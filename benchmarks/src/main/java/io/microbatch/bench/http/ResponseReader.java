package io.microbatch.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Reads one response after the other from the bytes of a connection: status, whether the connection ends with it, and
 * whether its body names an error. Knows {@code Content-Length} and chunked bodies. One thread.
 */
final class ResponseReader {

    private static final int FIRST_BYTES = 4_096;
    private static final int MAX_BYTES = 16 << 20;
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] ERROR_CODE = "\"error_code\":".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;
    private int headBytes;
    private int bodyBytes;
    private boolean chunked;
    private int status;
    private boolean closes;
    private int responseBytes;

    /** The bytes cannot be a response. */
    static final class MalformedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /** Takes bytes. Returns whether a response is complete. {@link #next} must be called before more are taken. */
    boolean take(ByteBuffer received) {
        int more = received.remaining();
        if (size + more > bytes.length) {
            if (size + more > MAX_BYTES) {
                throw new MalformedException("a response is larger than " + MAX_BYTES + " bytes");
            }
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
        }
        received.get(bytes, size, more);
        size += more;
        return isComplete();
    }

    private boolean isComplete() {
        if (headBytes == 0 && !readHead()) {
            return false;
        }
        responseBytes = chunked ? chunksEnd() : headBytes + bodyBytes;
        return responseBytes > 0 && size >= responseBytes;
    }

    private boolean readHead() {
        int end = indexOf(HEAD_END, 0, size);
        if (end < 0) {
            return false;
        }
        headBytes = end + HEAD_END.length;
        String[] lines = new String(bytes, 0, end, StandardCharsets.ISO_8859_1).split("\r\n", -1);
        String[] first = lines[0].split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/1.")) {
            throw new MalformedException("not a response: " + lines[0]);
        }
        status = parse(first[1], 10);
        closes = false;
        chunked = false;
        bodyBytes = 0;
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            String name = lines[i].substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            String value = lines[i].substring(colon + 1).strip();
            switch (name) {
                case "content-length" -> bodyBytes = parse(value, 10);
                case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
                case "connection" -> closes = value.equalsIgnoreCase("close");
                default -> {
                    // Of no meaning for a load.
                }
            }
        }
        return true;
    }

    /** Where the last chunk of the body ends. 0 if it is not there yet. */
    private int chunksEnd() {
        int at = headBytes;
        while (true) {
            int lineEnd = indexOf(LINE_END, at, size);
            if (lineEnd < 0) {
                return 0;
            }
            String line = new String(bytes, at, lineEnd - at, StandardCharsets.ISO_8859_1);
            int semicolon = line.indexOf(';');
            int chunk = parse(
                    semicolon < 0 ? line.strip() : line.substring(0, semicolon).strip(), 16);
            at = lineEnd + LINE_END.length + chunk + LINE_END.length;
            if (at > size) {
                return 0;
            }
            if (chunk == 0) {
                return at;
            }
        }
    }

    private static int parse(String number, int radix) {
        try {
            int value = Integer.parseInt(number, radix);
            if (value < 0 || value > MAX_BYTES) {
                throw new MalformedException("not a length or a status: " + number);
            }
            return value;
        } catch (NumberFormatException e) {
            throw new MalformedException("not a number: " + number);
        }
    }

    private int indexOf(byte[] wanted, int from, int to) {
        for (int at = from; at <= to - wanted.length; at++) {
            if (bytes[at] == wanted[0] && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        return -1;
    }

    /** Of the complete response. */
    int status() {
        return status;
    }

    /** Whether the server closes the connection after the complete response. */
    boolean closes() {
        return closes;
    }

    /** Whether the body of the complete response has an error code that is not null. */
    boolean hasError() {
        int at = indexOf(ERROR_CODE, headBytes, responseBytes);
        while (at >= 0) {
            int value = at + ERROR_CODE.length;
            while (value < responseBytes && bytes[value] == ' ') {
                value++;
            }
            if (value < responseBytes && bytes[value] != 'n') {
                return true;
            }
            at = indexOf(ERROR_CODE, value, responseBytes);
        }
        return false;
    }

    /** The body of the complete response, for a message. */
    String body() {
        return new String(bytes, headBytes, responseBytes - headBytes, StandardCharsets.UTF_8);
    }

    /** Forgets the complete response. */
    void next() {
        System.arraycopy(bytes, responseBytes, bytes, 0, size - responseBytes);
        size -= responseBytes;
        headBytes = 0;
        responseBytes = 0;
    }
}
