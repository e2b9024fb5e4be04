package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.HttpTlsConfig;
import io.microbatch.testbed.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the server does over TLS is what it does without. */
class TlsConnectionTest {

    private static final String PIECE = "x".repeat(64 * 1_024);

    @TempDir
    static Path keys;

    private static HttpTlsConfig config;
    private static SocketFactory sockets;

    /** Moves only when a test moves it. */
    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    @BeforeAll
    static void makeKeys() throws GeneralSecurityException, IOException, InterruptedException {
        Path own = Certificates.newKey(keys.resolve("server.p12"), "CN=localhost", "-1H");
        config = new HttpTlsConfig(Optional.of(Certificates.store(own)), Optional.empty());
        sockets = Certificates.client(null, own).getSocketFactory();
    }

    private RunningServer server(Map<String, String> settings) {
        TlsContext tls = new TlsContext(config, false, clock::get);
        return new RunningServer(settings, clock::get, HttpServer.STOP_LIMITS, tls);
    }

    private static RawClient connect(RunningServer server) {
        return new RawClient(sockets, server.server.port());
    }

    private static void send(RawClient client, int pieces) {
        for (int i = 0; i < pieces; i++) {
            client.send(PIECE);
        }
    }

    /** Otherwise the connection is reset while the client writes, and it does not know whether the event is written. */
    @Test
    void aBodyIsReadForASecondAfterItWasRefused() {
        try (RunningServer server = server(Map.of());
                RawClient client = connect(server)) {
            client.send("POST /events/orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: "
                    + 1_000 * PIECE.length() + "\r\n\r\n");
            send(client, 4);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.closes()).isTrue();
            send(client, 32);
            assertThat(server.service.figures().connections().get()).isEqualTo(1);

            long ignored = clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
            Await.until(
                    "the end",
                    RunningServer.PATIENCE,
                    () -> server.service.figures().connections().get() == 0,
                    () -> "still open");
        }
    }

    /** The bytes of a handshake are no part of a request. */
    @Test
    void aConnectionWithoutARequestIsClosedWithoutAnAnswer() {
        try (RunningServer server = server(Map.of("header.timeout.ms", "1000"));
                RawClient silent = connect(server);
                RawClient other = connect(server)) {
            // The one event loop has ended the earlier handshake when it answers this.
            other.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(other.response().status()).isEqualTo(200);
            long ignored = clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(silent.isClosed()).isTrue();
        }
    }

    @Test
    void aBegunHeadIsAnswered() {
        try (RunningServer server = server(Map.of("header.timeout.ms", "1000"));
                RawClient slow = connect(server);
                RawClient other = connect(server)) {
            slow.send("POST /ev");
            // In one pass the event loop may read the later bytes first. It answers twice in two passes.
            for (int pass = 0; pass < 2; pass++) {
                other.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(other.response().status()).isEqualTo(200);
            }
            CompletableFuture<RawClient.Response> answer = CompletableFuture.supplyAsync(slow::response);
            // More than once: on a busy machine the first bytes may arrive after the second pass, and begin the time.
            Await.until(
                    "an answer",
                    RunningServer.PATIENCE,
                    () -> clock.addAndGet(TimeUnit.SECONDS.toNanos(1)) > 0 && answer.isDone(),
                    () -> "none");
            assertThat(answer.join().status()).isEqualTo(408);
        }
    }
}
