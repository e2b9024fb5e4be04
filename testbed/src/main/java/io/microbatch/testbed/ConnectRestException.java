package io.microbatch.testbed;

import com.fasterxml.jackson.databind.JsonNode;

/** The worker answered a request with an error. The message contains the body of the response. */
public final class ConnectRestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    ConnectRestException(String request, int status, JsonNode body) {
        super(request + " was answered with " + status + ": "
                + body.path("message").asText(body.toString()));
        this.status = status;
    }

    /** The HTTP status code. */
    public int status() {
        return status;
    }

    /** Whether the worker will accept the same request after a rebalance. */
    boolean isMomentary() {
        return status == 409
                && (getMessage().contains("rebalance") || getMessage().contains("momentarily"));
    }
}
