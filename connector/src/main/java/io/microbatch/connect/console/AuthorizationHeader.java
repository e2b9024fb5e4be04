package io.microbatch.connect.console;

import java.net.http.HttpRequest;

/**
 * The header {@code Authorization} of the requests of a program of an operator. It can be sent: Java's client refuses
 * one that cannot with a message that contains it. Immutable; any thread. Its text does not show it.
 */
public final class AuthorizationHeader {

    /** The variable of the environment with the header, where the worker wants one. */
    public static final String VARIABLE = "CONNECT_AUTHORIZATION";

    private static final String CURE = " Set it to one line of printable ASCII characters, such as Basic, a space and"
            + " the base64 text of user:password. The program base64 breaks long lines unless it is called with -w0.";

    private static final char FIRST_PRINTABLE = ' ';
    private static final char LAST_PRINTABLE = '~';

    private final String value;

    private AuthorizationHeader(String value) {
        this.value = value;
    }

    /**
     * Checks the header.
     *
     * @param value null or blank for none
     * @throws IllegalArgumentException if no request can have it; the message names the variable and the cure, and
     *     shows nothing of the value
     */
    public static AuthorizationHeader of(String value) {
        if (value == null || value.isBlank()) {
            return new AuthorizationHeader("");
        }
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new IllegalArgumentException(VARIABLE + " has a line break." + CURE);
        }
        // Java's client would send a question mark for a letter that is not ASCII, and the worker would say 401.
        if (value.chars().anyMatch(each -> each < FIRST_PRINTABLE || each > LAST_PRINTABLE)) {
            throw new IllegalArgumentException(VARIABLE + " has a character that a header cannot have." + CURE);
        }
        return new AuthorizationHeader(value);
    }

    /** Adds it to a request, if there is one. */
    public void addTo(HttpRequest.Builder request) {
        if (!value.isEmpty()) {
            HttpRequest.Builder ignored = request.header("Authorization", value);
        }
    }

    /** Without the value, which is a secret. */
    @Override
    public String toString() {
        return "AuthorizationHeader[" + (value.isEmpty() ? "none" : "set") + "]";
    }
}
