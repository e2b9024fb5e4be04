package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.HttpTlsConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.security.auth.x500.X500Principal;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsContextTest {

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    @TempDir
    static Path keys;

    private static Path first;
    private static Path shop;
    private static Path stranger;
    private static Path expired;
    private static Path trusted;

    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private Path keystore;

    @BeforeAll
    static void makeKeys() throws GeneralSecurityException, IOException, InterruptedException {
        first = Certificates.newKey(keys.resolve("first.p12"), "CN=first", "-1H");
        shop = Certificates.newKey(keys.resolve("shop.p12"), "CN=shop,O=Example", "-1H");
        stranger = Certificates.newKey(keys.resolve("stranger.p12"), "CN=shop,O=Example", "-1H");
        expired = Certificates.newKey(keys.resolve("expired.p12"), "CN=late", "-3d");
        trusted = Certificates.trusting(keys.resolve("trusted.p12"), shop, expired);
    }

    @BeforeEach
    void copyTheKey() throws IOException {
        keystore = Files.copy(first, directory.resolve("server.p12"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void speaksTls(String protocol) throws Exception {
        SSLEngine server = context(false).newEngine();
        SSLEngine client = engine(Certificates.client(null, first), protocol);
        handshake(server, client);
        assertThat(server.getSession().getProtocol()).isEqualTo(protocol);
        assertThat(subject(client)).isEqualTo("CN=first");
    }

    @Test
    void speaksNothingElse() {
        SSLEngine server = context(false).newEngine();
        assertThat(server.getEnabledProtocols()).containsExactly("TLSv1.3", "TLSv1.2");
        assertThat(server.getUseClientMode()).isFalse();
        assertThat(server.getNeedClientAuth()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void asksForCertificatesThatItTrusts(String protocol) throws Exception {
        SSLEngine server = context(true).newEngine();
        handshake(server, engine(Certificates.client(shop, first), protocol));
        assertThat(server.getSession().getPeerPrincipal()).isEqualTo(new X500Principal("CN=shop,O=Example"));
        for (Path other : Arrays.asList(null, stranger, expired)) {
            SSLEngine next = context(true).newEngine();
            SSLEngine client = engine(Certificates.client(other, first), protocol);
            assertThatThrownBy(() -> handshake(next, client)).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void usesARenewedCertificateAfterAMinute() throws Exception {
        TlsContext context = context(false);
        Path renewed = Files.copy(stranger, keystore, StandardCopyOption.REPLACE_EXISTING);
        assertThat(renewed).hasSameBinaryContentAs(stranger);
        nanos.set(MINUTE_NANOS - 1);
        assertThat(context.refresh()).isFalse();
        assertThat(shown(context)).isEqualTo("CN=first");
        nanos.set(MINUTE_NANOS);
        assertThat(context.refresh()).isTrue();
        assertThat(shown(context)).isEqualTo("CN=shop,O=Example");
        nanos.set(3 * MINUTE_NANOS);
        assertThat(context.refresh()).isFalse();
    }

    @Test
    void trustsARenewedTruststore() throws Exception {
        Path truststore = Files.copy(trusted, directory.resolve("clients.p12"));
        TlsContext context = new TlsContext(config(keystore, truststore), true, nanos::get);
        Files.delete(truststore);
        Path renewed = Certificates.trusting(truststore, stranger);
        assertThat(renewed).exists();
        nanos.set(MINUTE_NANOS);
        assertThat(context.refresh()).isTrue();
        handshake(context.newEngine(), engine(Certificates.client(stranger, first), "TLSv1.3"));
        assertThatThrownBy(() -> handshake(context.newEngine(), engine(Certificates.client(shop, first), "TLSv1.3")))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void keepsItsCertificateWhileTheFileIsNotWhole() throws Exception {
        TlsContext context = context(false);
        byte[] whole = Files.readAllBytes(stranger);
        Path half = Files.write(keystore, Arrays.copyOf(whole, whole.length / 2));
        assertThat(half).exists();
        nanos.set(MINUTE_NANOS);
        assertThat(context.refresh()).isFalse();
        assertThat(shown(context)).isEqualTo("CN=first");
        Files.delete(keystore);
        nanos.set(2 * MINUTE_NANOS);
        assertThat(context.refresh()).isFalse();
        assertThat(shown(context)).isEqualTo("CN=first");
        Path complete = Files.write(keystore, whole);
        assertThat(complete).exists();
        nanos.set(3 * MINUTE_NANOS);
        assertThat(context.refresh()).isTrue();
        assertThat(shown(context)).isEqualTo("CN=shop,O=Example");
    }

    @Test
    void namesTheSettingAndNotTheFile() throws IOException {
        Path missing = directory.resolve("hidden-name.p12");
        assertThatThrownBy(() -> new TlsContext(config(missing, trusted), false, nanos::get))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("upstream.http.tls.keystore.path")
                .hasMessageNotContaining("hidden-name")
                .hasNoCause();
        assertThatThrownBy(() -> new TlsContext(config(keystore, missing), true, nanos::get))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("upstream.http.tls.truststore.path")
                .hasMessageNotContaining("hidden-name");
        HttpTlsConfig.Store wrong = new HttpTlsConfig.Store(keystore.toString(), new Password("wrong"), "PKCS12");
        HttpTlsConfig config = new HttpTlsConfig(Optional.of(wrong), Optional.empty());
        assertThatThrownBy(() -> new TlsContext(config, false, nanos::get))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("upstream.http.tls.keystore.password")
                .hasMessageNotContaining("wrong");
    }

    @Test
    void refusesStoresWithoutAKeyOrACertificate() throws Exception {
        assertThatThrownBy(() -> new TlsContext(config(trusted, trusted), false, nanos::get))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("has no key");
        Path empty = Certificates.trusting(directory.resolve("empty.p12"));
        assertThatThrownBy(() -> new TlsContext(config(keystore, empty), true, nanos::get))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("has no certificate");
    }

    private TlsContext context(boolean clientCertificates) {
        return new TlsContext(config(keystore, trusted), clientCertificates, nanos::get);
    }

    private static HttpTlsConfig config(Path keystore, Path truststore) {
        return new HttpTlsConfig(
                Optional.of(Certificates.store(keystore)), Optional.of(Certificates.store(truststore)));
    }

    /** The subject of the certificate that a new client sees. */
    private static String shown(TlsContext context) throws IOException, GeneralSecurityException {
        for (Path each : new Path[] {first, stranger}) {
            SSLEngine client = engine(Certificates.client(null, each), "TLSv1.3");
            try {
                handshake(context.newEngine(), client);
                return subject(client);
            } catch (SSLException e) {
                // It shows a certificate that this client does not trust.
                continue;
            }
        }
        throw new AssertionError("It shows neither certificate");
    }

    private static String subject(SSLEngine client) throws SSLException {
        X509Certificate certificate = (X509Certificate) client.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }

    private static SSLEngine engine(SSLContext context, String protocol) {
        SSLEngine engine = context.createSSLEngine("localhost", 0);
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {protocol});
        return engine;
    }

    /** Lets two engines talk until both have finished, or one fails. */
    private static void handshake(SSLEngine server, SSLEngine client) throws SSLException {
        ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
        ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
        server.beginHandshake();
        client.beginHandshake();
        for (int turn = 0; turn < 1_000; turn++) {
            boolean clientDone = step(client, toClient, toServer);
            boolean serverDone = step(server, toServer, toClient);
            if (clientDone && serverDone && toServer.position() == 0 && toClient.position() == 0) {
                return;
            }
        }
        throw new SSLException("The handshake does not end");
    }

    private static boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        ByteBuffer plain = ByteBuffer.allocate(1 << 16);
        HandshakeStatus status = engine.getHandshakeStatus();
        while (status == HandshakeStatus.NEED_TASK) {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
            status = engine.getHandshakeStatus();
        }
        if (status == HandshakeStatus.NEED_WRAP) {
            assertThat(engine.wrap(ByteBuffer.allocate(0), out).bytesProduced()).isNotNegative();
        } else if (in.position() > 0) {
            in.flip();
            assertThat(engine.unwrap(in, plain).bytesConsumed()).isNotNegative();
            in.compact();
        }
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }
}
