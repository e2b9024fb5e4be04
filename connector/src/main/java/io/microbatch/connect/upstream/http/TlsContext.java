package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpTlsConfig;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;

/**
 * The JDK's TLS 1.2 and 1.3 with a certificate that may be renewed while the server runs. Any thread.
 */
final class TlsContext {

    /**
     * Reads the files.
     *
     * @param clientCertificates whether clients must show a certificate that the truststore trusts
     * @param nanoClock nanoseconds, as System.nanoTime
     * @throws org.apache.kafka.connect.errors.ConnectException if the files cannot be read, without their contents
     */
    TlsContext(HttpTlsConfig config, boolean clientCertificates, LongSupplier nanoClock) {
        throw new UnsupportedOperationException(config.toString() + clientCertificates + nanoClock);
    }

    /** The server's side of a new connection. Does not wait. */
    SSLEngine newEngine() {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads the files again if a minute has passed, and uses them for new connections if they changed. Files that
     * cannot be read leave the certificate as it is. For a thread that may read files, such as the reader.
     */
    void refresh() {
        throw new UnsupportedOperationException();
    }
}
