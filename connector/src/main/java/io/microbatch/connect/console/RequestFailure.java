package io.microbatch.connect.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Says why a request of an operator's program to a worker has no answer, and what the operator can do about it.
 * Stateless; any thread.
 */
public final class RequestFailure {

    private static final int MAX_CAUSES = 20;

    /** A file, because Java prints the value of JAVA_TOOL_OPTIONS, and a list of processes shows arguments. */
    private static final String TRUST = "the worker's certificate is not trusted. Write the name of a trust store with"
            + " its issuer into a file that only you can read, -Djavax.net.ssl.trustStore=FILE"
            + " -Djavax.net.ssl.trustStorePassword=PASSWORD, and name this file: MICROBATCH_JAVA_ARGS=FILE for"
            + " bin/microbatch, java @FILE elsewhere";

    private RequestFailure() {}

    /**
     * Makes a client.
     *
     * @throws IOException when the trust store of this JVM cannot be read
     */
    public static HttpClient clientOf(HttpClient.Builder builder) throws IOException {
        try {
            return builder.build();
        } catch (UncheckedIOException e) {
            throw new IOException(
                    "the trust store or key store of javax.net.ssl cannot be read: look at file, password and type", e);
        }
    }

    /** The reason, without a full stop at its end. Java's client often has no message. */
    public static String reason(IOException failure) {
        List<Throwable> causes = Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSES)
                .toList();
        String message = Objects.requireNonNullElse(
                failure.getMessage(),
                "the worker does not answer (" + failure.getClass().getSimpleName() + ")");
        if (any(causes, CertPathBuilderException.class) || any(causes, CertPathValidatorException.class)) {
            return TRUST + " (" + message + ")";
        }
        if (any(causes, CertificateException.class)) {
            return "the worker's certificate is not for the host of the address, or not valid (" + message + ")";
        }
        return any(causes, SSLException.class)
                ? "no TLS connection to the worker: is this the address of HTTPS? (" + message + ")"
                : message;
    }

    private static boolean any(List<Throwable> causes, Class<? extends Throwable> type) {
        return causes.stream().anyMatch(type::isInstance);
    }
}
