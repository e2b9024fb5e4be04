package io.microbatch.connect.migrate;

import java.io.IOException;

/** The connector or one of its tasks has failed: waiting does not help. */
final class FailedTask extends IOException {

    private static final long serialVersionUID = 1L;

    FailedTask(String message) {
        super(message);
    }
}
