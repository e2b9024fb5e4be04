package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients that send further requests before they have the answer to the first one (RFC 9112, section 9.3.2). */
class PipeliningTest {

    private static final String POST = "POST /events/" + RunningServer.TOPIC
            + " HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n";
    private static final String SHORT = "GET / HTTP/1.1\r\nHost:\r\n\r\n";

    @Test
    void servesOneRequestOfAConnectionAtATime() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send(POST + "1" + POST + "2" + "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            PendingRequest first = server.offered();
            server.passLoop();
            assertThat(server.service.inbox().isEmpty()).isTrue();
            RunningServer.settle(first, 1);
            assertThat(client.response().body()).contains("\"offset\":1");
            RunningServer.settle(server.offered(), 2);
            assertThat(client.response().body()).contains("\"offset\":2");
            assertThat(client.response().body()).contains("live");
        }
    }

    /** The client gets the answer to the first request, and knows that no other one was read. */
    @Test
    void endsTheConnectionOfAClientThatSendsTooManyRequestsBeforeAnAnswer() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send(POST + "1" + SHORT.repeat(20 * Parts.MAX_WAITING));
            RunningServer.settle(server.offered(), 1);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.closes()).isTrue();
            assertThat(client.isClosed()).isTrue();
        }
    }
}
