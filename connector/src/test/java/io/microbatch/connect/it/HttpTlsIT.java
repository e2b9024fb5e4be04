package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.upstream.http.Certificates;
import io.microbatch.connect.upstream.http.RawClient;
import io.microbatch.testbed.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** TLS and authentication at a real worker: who gets in, and which topics are open to whom. */
@ExtendWith(Cluster.Shared.class)
class HttpTlsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path keys;

    private static Path server;
    private static Path shop;
    private static Path stranger;
    private static Path trusted;

    private final Cluster cluster;

    HttpTlsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    static void makeKeys() throws GeneralSecurityException, IOException, InterruptedException {
        server = Certificates.newKey(keys.resolve("server.p12"), "CN=server", "-1H");
        shop = Certificates.newKey(keys.resolve("shop.p12"), "CN=shop,O=Example", "-1H");
        stranger = Certificates.newKey(keys.resolve("stranger.p12"), "CN=shop,O=Example", "-1H");
        trusted = Certificates.trusting(keys.resolve("trusted.p12"), shop);
    }

    @Test
    void knowsClientsByTheirCertificates() throws IOException, InterruptedException, GeneralSecurityException {
        HttpIngest ingest = HttpIngest.of(cluster, "http-mtls");
        Map<String, String> settings = tls(ingest);
        settings.put("upstream.http.auth", "mtls");
        settings.put("upstream.http.acl", "CN=shop, O=Example=" + ingest.name());
        settings.put("upstream.http.tls.truststore.path", trusted.toString());
        settings.put("upstream.http.tls.truststore.password", Certificates.PASSWORD);
        start(ingest, settings, Certificates.client(shop, server));

        for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
            assertThat(post(ingest, Certificates.client(shop, server), protocol, null, ingest.name()))
                    .isEqualTo(200);
            for (Path other : new Path[] {stranger, null}) {
                assertThatThrownBy(
                                () -> post(ingest, Certificates.client(other, server), protocol, null, ingest.name()))
                        .isInstanceOf(IOException.class);
            }
        }
        assertThat(post(ingest, Certificates.client(shop, server), "TLSv1.3", null, ingest.name() + "-other"))
                .isEqualTo(403);
        assertThat(ingest.values()).containsExactly("TLSv1.2", "TLSv1.3");
        cluster.rest(Mode.EXACTLY_ONCE).delete(ingest.name());
    }

    @Test
    void knowsClientsByTheirSecrets() throws IOException, InterruptedException, GeneralSecurityException {
        HttpIngest ingest = HttpIngest.of(cluster, "http-bearer");
        Map<String, String> settings = tls(ingest);
        settings.put("upstream.http.auth", "bearer");
        settings.put("upstream.http.auth.secrets", "shop=first-token\nbilling=second-token");
        settings.put("upstream.http.acl", "shop=" + ingest.name() + ";billing=" + ingest.name() + "-other");
        SSLContext client = Certificates.client(null, server);
        start(ingest, settings, client);

        assertThat(post(ingest, client, "TLSv1.3", "Bearer first-token", ingest.name()))
                .isEqualTo(200);
        assertThat(post(ingest, client, "TLSv1.3", "Bearer second-token", ingest.name()))
                .isEqualTo(403);
        for (String authorization : new String[] {null, "Bearer first", "Basic Zmlyc3QtdG9rZW4=", "first-token"}) {
            assertThat(post(ingest, client, "TLSv1.3", authorization, ingest.name()))
                    .as("%s", authorization)
                    .isEqualTo(401);
        }
        // Plain HTTP to a port of TLS is closed without an answer that could be taken for one.
        try (RawClient plain = new RawClient(ingest.port())) {
            plain.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThatThrownBy(plain::response).isInstanceOf(RuntimeException.class);
        }
        assertThat(ingest.values()).containsExactly("TLSv1.3");
        cluster.rest(Mode.EXACTLY_ONCE).delete(ingest.name());
    }

    @Test
    void knowsClientsByTheirPasswords() throws IOException, InterruptedException, GeneralSecurityException {
        HttpIngest ingest = HttpIngest.of(cluster, "http-basic");
        Map<String, String> settings = tls(ingest);
        settings.put("upstream.http.auth", "basic");
        settings.put("upstream.http.auth.secrets", "shop=pass:word");
        SSLContext client = Certificates.client(null, server);
        start(ingest, settings, client);
        assertThat(post(ingest, client, "TLSv1.3", basic("shop:pass:word"), ingest.name()))
                .isEqualTo(200);
        assertThat(post(ingest, client, "TLSv1.3", basic("shop:pass"), ingest.name()))
                .isEqualTo(401);
        assertThat(ingest.values()).containsExactly("TLSv1.3");
        cluster.rest(Mode.EXACTLY_ONCE).delete(ingest.name());
    }

    private static Map<String, String> tls(HttpIngest ingest) {
        Map<String, String> settings = new HashMap<>();
        settings.put("upstream.http.topics", ingest.name() + "," + ingest.name() + "-other");
        settings.put("upstream.http.tls.keystore.path", server.toString());
        settings.put("upstream.http.tls.keystore.password", Certificates.PASSWORD);
        return settings;
    }

    private void start(HttpIngest ingest, Map<String, String> settings, SSLContext client) {
        cluster.rest(Mode.EXACTLY_ONCE).create(ingest.name(), ingest.config(1, settings));
        cluster.worker(Mode.EXACTLY_ONCE).awaitRunning(ingest.name(), 1);
        Await.until("the task is ready", PATIENCE, () -> isReady(ingest, client), () -> "not ready");
    }

    private static boolean isReady(HttpIngest ingest, SSLContext context) {
        HttpRequest request = HttpRequest.newBuilder(uri(ingest, "/health/ready"))
                .timeout(PATIENCE)
                .build();
        return HttpClient.newBuilder()
                        .sslContext(context)
                        .build()
                        .sendAsync(request, HttpResponse.BodyHandlers.discarding())
                        .handle((response, problem) -> problem == null ? response.statusCode() : 0)
                        .join()
                == 200;
    }

    /** Posts the protocol's name. Returns the status. */
    private static int post(HttpIngest ingest, SSLContext context, String protocol, String authorization, String topic)
            throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(context)
                .sslParameters(new SSLParameters(null, new String[] {protocol}))
                .build();
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(ingest, "/events/" + topic))
                .timeout(PATIENCE)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(protocol));
        if (authorization != null) {
            request = request.header("Authorization", authorization);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static URI uri(HttpIngest ingest, String path) {
        return URI.create("https://127.0.0.1:" + ingest.port() + path);
    }
}
