package io.microbatch.connect.upstream.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.util.Arrays;

/** Reads JSON in UTF-8 and knows where each value begins and ends. One body; one thread. */
final class Json implements AutoCloseable {

    static final int MAX_DEPTH = 64;
    static final int MAX_NUMBER_CHARS = 100;

    private final byte[] body;
    private final int offset;
    private final JsonParser parser;

    private Json(byte[] body, int offset, JsonParser parser) {
        this.body = body;
        this.offset = offset;
        this.parser = parser;
    }

    /**
     * Begins to read.
     *
     * @throws Refusal 400 if the bytes are not UTF-8
     */
    static Json of(JsonFactory factory, byte[] body, int offset, int length) throws Refusal {
        Utf8.check(body, offset, length);
        for (int i = 0; i < Math.min(4, length); i++) {
            // The parser takes such bytes for UTF-16 or UTF-32, and knows no places then.
            if (body[offset + i] == 0) {
                throw Refusal.malformed("Byte " + i + " is 0, which is not JSON in UTF-8.");
            }
        }
        try {
            return new Json(body, offset, factory.createParser(body, offset, length));
        } catch (IOException e) {
            throw Refusal.malformed("The body is not JSON.");
        }
    }

    /** The next token. Null at the end of the body. */
    JsonToken next() throws Refusal {
        try {
            return parser.nextToken();
        } catch (IOException e) {
            throw refusal(e);
        }
    }

    /** The name of the field whose name is the current token. Moves on to its value. */
    String nameThenValue() throws Refusal {
        try {
            String name = parser.currentName();
            JsonToken ignored = parser.nextToken();
            return name;
        } catch (IOException e) {
            throw refusal(e);
        }
    }

    JsonToken current() {
        return parser.currentToken();
    }

    /** Passes over the current value, with what is in it. */
    void skip() throws Refusal {
        try {
            JsonParser ignored = parser.skipChildren();
            parser.finishToken();
        } catch (IOException e) {
            throw refusal(e);
        }
    }

    /** The text of the current string. */
    String text() throws Refusal {
        try {
            return parser.getText();
        } catch (IOException e) {
            throw refusal(e);
        }
    }

    /** The current whole number. Null if it is none, or no long. */
    Long wholeNumber() throws Refusal {
        try {
            if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
                    || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                return null;
            }
            return parser.getLongValue();
        } catch (IOException e) {
            throw refusal(e);
        }
    }

    /** The place in the body, in bytes, at which the current value begins. */
    int start() {
        return (int) parser.currentTokenLocation().getByteOffset();
    }

    /** The place in the body, in bytes, up to which it has been read. */
    int end() {
        return (int) parser.currentLocation().getByteOffset();
    }

    /** A copy of the bytes of the current value as they were sent, with what is in it. */
    byte[] raw() throws Refusal {
        int start = start();
        skip();
        int end = end();
        // The parser reads one byte behind a number that is in no object or array, to see that it ends there.
        while (body[offset + end - 1] <= ' ' && body[offset + end - 1] >= 0) {
            end--;
        }
        return slice(start, end);
    }

    byte[] slice(int start, int end) {
        return Arrays.copyOfRange(body, offset + start, offset + end);
    }

    /** Whether there is an end of line between two places. */
    boolean hasLineEnd(int start, int end) {
        for (int i = offset + start; i < offset + end; i++) {
            if (body[i] == '\n') {
                return true;
            }
        }
        return false;
    }

    /** The parser's own message shows a part of the body. */
    private Refusal refusal(IOException e) {
        if (e instanceof StreamConstraintsException) {
            return Refusal.malformed("The JSON is nested deeper than " + MAX_DEPTH + " levels, or has a number of more "
                    + "than " + MAX_NUMBER_CHARS + " characters, or a name that is too long.");
        }
        String place = "";
        if (e instanceof JsonProcessingException json && json.getLocation() != null) {
            place = " near byte " + Math.max(0, json.getLocation().getByteOffset());
        }
        return Refusal.malformed("The body is not well-formed JSON" + place + ".");
    }

    @Override
    public void close() throws Refusal {
        try {
            parser.close();
        } catch (IOException e) {
            throw refusal(e);
        }
    }
}
