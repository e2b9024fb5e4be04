package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients of HTTP/1.0. */
class OlderClientsTest {

    private static final String REST = "Expect: 100-continue\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx";

    /** RFC 9110, section 10.1.1. */
    @Test
    void haveTheirExpectationsIgnored() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send("POST /events/orders HTTP/1.0\r\n" + REST);
            RunningServer.settle(server.offered(), 1);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.closes()).isTrue();
        }
    }
}
