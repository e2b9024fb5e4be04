package io.microbatch.connect.console;

import jakarta.ws.rs.core.UriInfo;

/**
 * Who asks the console, as far as it matters to the workers that are asked on behalf of the caller. Immutable; any
 * thread. Its text does not show the header.
 *
 * @param authorization the header {@code Authorization} of the question; null if it has none
 * @param isSecure whether the question came by HTTPS
 */
record Caller(String authorization, boolean isSecure) {

    private static final String HTTPS = "https";

    /** The caller of a question with this address. */
    static Caller of(UriInfo asked, String authorization) {
        return new Caller(
                authorization, HTTPS.equalsIgnoreCase(asked.getRequestUri().getScheme()));
    }

    /** Whether a request with this scheme shows the header on the network, which the question itself did not. */
    boolean isExposedBy(String scheme) {
        return authorization != null && isSecure && !scheme.equals(HTTPS);
    }

    @Override
    public String toString() {
        return "Caller[" + (authorization == null ? "without" : "with") + " a header"
                + (isSecure ? ", by HTTPS]" : "]");
    }
}
