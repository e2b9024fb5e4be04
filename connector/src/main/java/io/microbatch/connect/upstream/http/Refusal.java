package io.microbatch.connect.upstream.http;

/**
 * The answer to a request of which nothing is written. The message goes to the client: it shows no part of a payload,
 * no setting and no path. Without a stack trace, because a client's mistake says nothing about our code. Immutable; any
 * thread.
 */
final class Refusal extends Exception {

    /** The body or a part of it is not well-formed. */
    static final int MALFORMED = 400;

    static final int UNAUTHORIZED = 40101;
    static final int FORBIDDEN = 40301;
    static final int NOT_FOUND = 40401;
    static final int TOO_LARGE = 41301;

    /** The body is well-formed JSON, but not of the format that the media type names. */
    static final int OTHER_JSON = 42203;

    static final int INVALID_RECORD = 42206;
    static final int PARTITION = 42220;

    private static final long serialVersionUID = 1L;

    private final int status;
    private final int errorCode;

    Refusal(int status, int errorCode, String message) {
        super(message, null, false, false);
        this.status = status;
        this.errorCode = errorCode;
    }

    static Refusal malformed(String message) {
        return new Refusal(400, MALFORMED, message);
    }

    static Refusal notFound(String message) {
        return new Refusal(404, NOT_FOUND, message);
    }

    static Refusal tooLarge(String message) {
        return new Refusal(413, TOO_LARGE, message);
    }

    static Refusal mediaType(String message) {
        return new Refusal(415, 415, message);
    }

    static Refusal otherJson(String message) {
        return new Refusal(422, OTHER_JSON, message);
    }

    static Refusal invalid(String message) {
        return new Refusal(422, INVALID_RECORD, message);
    }

    static Refusal partition(String message) {
        return new Refusal(422, PARTITION, message);
    }

    /** The HTTP status. */
    int status() {
        return status;
    }

    /** The {@code error_code} of the answer's body. */
    int errorCode() {
        return errorCode;
    }
}
