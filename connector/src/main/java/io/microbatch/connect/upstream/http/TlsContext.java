package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpTlsConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The JDK's TLS 1.2 and 1.3, with a certificate that may be renewed while the server runs. Any thread. */
final class TlsContext {

    private static final Logger log = LoggerFactory.getLogger(TlsContext.class);

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final HttpTlsConfig config;
    private final boolean clientCertificates;
    private final LongSupplier nanoClock;

    private volatile Loaded loaded;
    private long readNanos;
    private boolean warned;

    /** A context and the files from which it was made. */
    private record Loaded(SSLContext context, byte[] keystore, byte[] truststore) {}

    /**
     * Reads the files.
     *
     * @param clientCertificates whether clients must show a certificate that the truststore trusts
     * @param nanoClock nanoseconds, as System.nanoTime
     * @throws ConnectException if the files cannot be read; the message names the setting and nothing of the files
     */
    TlsContext(HttpTlsConfig config, boolean clientCertificates, LongSupplier nanoClock) {
        this.config = config;
        this.clientCertificates = clientCertificates;
        this.nanoClock = nanoClock;
        readNanos = nanoClock.getAsLong();
        loaded = load(bytes(config.keystore().orElseThrow(), "keystore"), truststoreBytes());
    }

    /** The server's side of a new connection. Does not wait. */
    SSLEngine newEngine() {
        SSLEngine engine = loaded.context().createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setNeedClientAuth(clientCertificates);
        parameters.setUseCipherSuitesOrder(true);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /**
     * Reads the files again if a minute has passed, and uses them for new connections if they changed. Files that
     * cannot be read leave the certificate as it is, with a warning in the log. For a thread that may read files, such
     * as the reader.
     *
     * @return whether new connections get other files than before
     */
    synchronized boolean refresh() {
        long nowNanos = nanoClock.getAsLong();
        if (nowNanos - readNanos < REFRESH_NANOS) {
            return false;
        }
        readNanos = nowNanos;
        try {
            byte[] keystore = bytes(config.keystore().orElseThrow(), "keystore");
            byte[] truststore = truststoreBytes();
            if (Arrays.equals(keystore, loaded.keystore()) && Arrays.equals(truststore, loaded.truststore())) {
                return false;
            }
            loaded = load(keystore, truststore);
            warned = false;
            log.info("Uses renewed files of TLS for new connections");
            return true;
        } catch (ConnectException e) {
            // A file that is being written is whole a minute later.
            if (!warned) {
                log.warn("Keeps the certificate that it has: {}", e.getMessage());
            }
            warned = true;
            return false;
        }
    }

    private byte[] truststoreBytes() {
        return clientCertificates ? bytes(config.truststore().orElseThrow(), "truststore") : new byte[0];
    }

    private Loaded load(byte[] keystore, byte[] truststore) {
        KeyManager[] keys = keys(config.keystore().orElseThrow(), keystore);
        TrustManager[] trust =
                clientCertificates ? trust(config.truststore().orElseThrow(), truststore) : new TrustManager[0];
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust, null);
            return new Loaded(context, keystore, truststore);
        } catch (GeneralSecurityException e) {
            throw new ConnectException("The files of upstream.http.tls cannot be used for TLS");
        }
    }

    private static KeyManager[] keys(HttpTlsConfig.Store store, byte[] content) {
        try {
            KeyStore keystore = keyStore(store, content);
            boolean hasKey = false;
            for (String alias : Collections.list(keystore.aliases())) {
                hasKey |= keystore.isKeyEntry(alias);
            }
            if (!hasKey) {
                throw new ConnectException("The file of upstream.http.tls.keystore.path has no key");
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keystore, chars(store.password()));
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw unreadable("keystore");
        }
    }

    private static TrustManager[] trust(HttpTlsConfig.Store store, byte[] content) {
        try {
            KeyStore truststore = keyStore(store, content);
            if (truststore.size() == 0) {
                throw new ConnectException("The file of upstream.http.tls.truststore.path has no certificate, or "
                        + "upstream.http.tls.truststore.password is missing");
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(truststore);
            for (TrustManager each : factory.getTrustManagers()) {
                if (each instanceof X509ExtendedTrustManager trusted) {
                    return new TrustManager[] {new UnexpiredClients(trusted)};
                }
            }
            throw new ConnectException("This JDK has no trust manager for X.509 certificates");
        } catch (GeneralSecurityException | IOException e) {
            throw unreadable("truststore");
        }
    }

    private static KeyStore keyStore(HttpTlsConfig.Store store, byte[] content)
            throws GeneralSecurityException, IOException {
        KeyStore keystore = KeyStore.getInstance(store.type());
        keystore.load(new ByteArrayInputStream(content), chars(store.password()));
        return keystore;
    }

    private static byte[] bytes(HttpTlsConfig.Store store, String name) {
        try {
            return Files.readAllBytes(Path.of(store.path()));
        } catch (IOException e) {
            throw unreadable(name);
        }
    }

    /** Without the cause, whose message has the path. */
    private static ConnectException unreadable(String name) {
        return new ConnectException("The file of upstream.http.tls." + name
                + ".path cannot be read: it must exist on this worker, be of the type that upstream.http.tls." + name
                + ".type names, and have the password of upstream.http.tls." + name + ".password");
    }

    private static char[] chars(Password password) {
        return password == null ? null : password.value().toCharArray();
    }
}
