package io.microbatch.connect.migrate;

import java.io.IOException;

/** A worker has answered a request with an error. */
final class RestException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * An error.
     *
     * @param request the method and the path
     * @param status the HTTP status
     * @param message what the worker says
     */
    RestException(String request, int status, String message) {
        super(request + " was answered with status " + status + ": " + message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
