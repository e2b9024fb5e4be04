package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpConfig;
import javax.security.auth.x500.X500Principal;

/**
 * Who may write to which topic. Immutable; any thread.
 *
 * <p>Secrets are kept as SHA-256. Each is compared with what the client sent, in constant time, so that the time of an
 * answer says nothing about them.
 */
final class Access {

    /** The principal of every client if there is no authentication. */
    static final String NOBODY = "";

    /**
     * A topic that may be written.
     *
     * @param partitions how many partitions clients may choose from, 0 if they may not choose
     */
    record Topic(String name, int partitions) {}

    Access(HttpConfig config) {
        throw new UnsupportedOperationException(config.host());
    }

    /**
     * The principal of a request.
     *
     * @param authorization the header {@code Authorization}, or null
     * @param certificate the subject of the client's verified certificate, or null
     * @throws Refusal 401
     */
    String authenticate(String authorization, X500Principal certificate) throws Refusal {
        throw new UnsupportedOperationException();
    }

    /** The header {@code WWW-Authenticate} of a 401. Null if a certificate is expected, or nothing. */
    String challenge() {
        throw new UnsupportedOperationException();
    }

    /**
     * The topic if this principal may write it.
     *
     * @throws Refusal 404 if the name is not listed or not legal, 403 if the topic is not the principal's
     */
    Topic topic(String principal, String name) throws Refusal {
        throw new UnsupportedOperationException();
    }
}
