package io.microbatch.bench.profile;

/** A file that is not valid. The message names the file, the key and what is allowed. */
public final class ProfileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ProfileException(String message) {
        super(message);
    }
}
