package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer that its client does not read takes room. The sockets' buffers take some answers before that. */
@Timeout(120)
class UnreadAnswerTest {

    private static final int RECORDS = 10_000;

    /** The entries of the answer have more bytes than this each. */
    private static final int ENTRY_BYTES = 50;

    private static final Map<String, String> MANY_RECORDS =
            Map.of("max.request.records", Integer.toString(RECORDS), "body.timeout.ms", "600000");

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    @Test
    void countsUntilItIsRead() throws IOException {
        try (RunningServer server = new RunningServer(MANY_RECORDS, clock::get);
                Socket client = connected(server)) {
            int answers = postUntilNothingIsRead(server, client);
            assertThat(server.service.admission().inflightBytes()).isBetween((long) RECORDS * ENTRY_BYTES, 1L << 20);
            assertThat(server.service.admission().inflightRequests()).isZero();
            for (int i = 0; i < answers; i++) {
                skipAnswer(client);
            }
            assertNothingCounts(server);
        }
    }

    @Test
    void countsUntilTheClientIsGone() throws IOException {
        try (RunningServer server = new RunningServer(MANY_RECORDS, clock::get)) {
            try (Socket client = connected(server)) {
                assertThat(postUntilNothingIsRead(server, client)).isPositive();
            }
            assertNothingCounts(server);
        }
    }

    @Test
    void countsUntilTheConnectionIsClosed() throws IOException {
        try (RunningServer server = new RunningServer(MANY_RECORDS, clock::get);
                Socket client = connected(server)) {
            assertThat(postUntilNothingIsRead(server, client)).isPositive();
            long ignored = clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(600_001));
            assertNothingCounts(server);
        }
    }

    private static void assertNothingCounts(RunningServer server) {
        Await.until(
                "the room is free",
                RunningServer.PATIENCE,
                () -> server.service.admission().inflightBytes() == 0,
                () -> server.service.admission().inflightBytes() + " bytes");
        server.passLoop();
        assertThat(server.service.admission().inflightBytes()).isZero();
    }

    private static Socket connected(RunningServer server) throws IOException {
        Socket client = new Socket();
        client.setReceiveBufferSize(4_096);
        client.setSoTimeout((int) RunningServer.PATIENCE.toMillis());
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.server.port()));
        return client;
    }

    /** Posts and reads nothing, until an answer cannot be written. How many there are. */
    private static int postUntilNothingIsRead(RunningServer server, Socket client) throws IOException {
        byte[] body = "1\n".repeat(RECORDS).getBytes(StandardCharsets.ISO_8859_1);
        byte[] head = ("POST /events/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n"
                        + "Content-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        int answers = 0;
        while (server.service.admission().inflightBytes() == 0) {
            client.getOutputStream().write(head);
            client.getOutputStream().write(body);
            RunningServer.settle(server.offered(), 0);
            server.passLoop();
            answers++;
        }
        return answers;
    }

    private static void skipAnswer(Socket client) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) client.getInputStream().read());
        }
        String length = head.substring(head.indexOf("content-length: ") + 16).split("\r\n", 2)[0];
        client.getInputStream().skipNBytes(Integer.parseInt(length));
    }
}
