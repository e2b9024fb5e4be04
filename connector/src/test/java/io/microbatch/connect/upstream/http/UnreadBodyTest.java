package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A client whose request is refused while it still sends the body gets the answer, and no reset of its connection. */
class UnreadBodyTest {

    private static final int KIB = 1_024;
    private static final String PIECE = "x".repeat(64 * KIB);
    private static final int FIRST_PIECES = 4;
    private static final int MORE_PIECES = 32;
    private static final int MAX_PIECES = 1_000;
    private static final String HEAD = "POST /events/" + RunningServer.TOPIC + " HTTP/1.1\r\nHost: a\r\n"
            + "Content-Type: text/plain\r\nContent-Length: " + MAX_PIECES * 64 * KIB + "\r\n\r\n";

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    @Test
    void isReadForASecondAfterTheAnswer() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get);
                RawClient client = server.connect()) {
            answered(client);

            send(client, MORE_PIECES);
            server.passLoop();
            Await.until(
                    "this client alone",
                    RunningServer.PATIENCE,
                    () -> connections(server) == 1,
                    () -> connections(server) + " connections");

            long ignored = clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
            Await.until("the end", RunningServer.PATIENCE, () -> connections(server) == 0, () -> "still open");
        }
    }

    @Test
    void isNotReadWithoutEnd() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get);
                RawClient client = server.connect()) {
            answered(client);

            int sent = 0;
            try {
                while (sent < MAX_PIECES && connections(server) == 1) {
                    send(client, 1);
                    sent++;
                }
            } catch (UncheckedIOException e) {
                assertThat(e).hasMessageContaining("SocketException");
            }
            assertThat(sent).isLessThan(MAX_PIECES - FIRST_PIECES);
        }
    }

    private static void answered(RawClient client) {
        client.send(HEAD);
        send(client, FIRST_PIECES);
        RawClient.Response response = client.response();
        assertThat(response.status()).isEqualTo(413);
        assertThat(response.closes()).isTrue();
    }

    private static void send(RawClient client, int pieces) {
        for (int i = 0; i < pieces; i++) {
            client.send(PIECE);
        }
    }

    private static long connections(RunningServer server) {
        return server.service.figures().connections().get();
    }
}
