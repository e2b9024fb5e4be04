package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpVersion;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A field of a head takes many times its bytes on the heap. */
@Timeout(120)
class LargeHeadTest {

    private static final String HOST = "Host: a\r\n";
    private static final int OTHER_FIELDS = 99;

    @Test
    void refusesTooManyFields() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send("GET /health/live HTTP/1.1\r\n" + HOST + "a:b\r\n".repeat(OTHER_FIELDS) + "\r\n");
            assertThat(client.response().status()).isEqualTo(200);
            other.send("GET /health/live HTTP/1.1\r\n" + HOST + "a:b\r\n".repeat(OTHER_FIELDS + 1) + "\r\n");
            RawClient.Response refusal = other.response();
            assertThat(refusal.status()).isEqualTo(431);
            assertThat(refusal.body()).contains("41301", "100");
            assertThat(refusal.closes()).isTrue();
        }
    }

    @Test
    void refusesTooManyFieldsBehindABody() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send("POST /events/orders HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
                    + "a:b\r\n".repeat(OTHER_FIELDS + 2) + "\r\n");
            assertThat(client.response().status()).isEqualTo(431);
            assertThat(server.service.inbox().isEmpty()).isTrue();
        }
    }

    /** A request may wait for Kafka for half a minute, and a connection may idle for longer. */
    @Test
    void keepsNoHeadWhileARequestWaits() {
        try (RunningServer server = new RunningServer(Map.of())) {
            EmbeddedChannel channel = new EmbeddedChannel(new Connection(
                    server.service,
                    new Heads(server.service),
                    new LoopConnections(),
                    new FailureLog(),
                    new StrictDecoder(1_024),
                    false));
            WeakReference<Object> head = post(channel);
            PendingRequest waiting = server.offered();
            Await.until(
                    "the head is forgotten",
                    RunningServer.PATIENCE,
                    () -> {
                        System.gc();
                        return head.refersTo(null);
                    },
                    () -> "it is there");
            RunningServer.settle(waiting, 0);
            channel.runPendingTasks();
            HttpObject answer = channel.readOutbound();
            assertThat(answer).isNotNull();
            assertThat(channel.close().isSuccess()).isTrue();
        }
    }

    private static WeakReference<Object> post(EmbeddedChannel channel) {
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.POST,
                "/events/orders",
                Unpooled.copiedBuffer("x", StandardCharsets.ISO_8859_1));
        boolean ignored = request.headers()
                .set("Host", "a")
                .set("Content-Type", "text/plain")
                .set("Content-Length", "1")
                .isEmpty();
        ignored = channel.writeInbound(request);
        return new WeakReference<>(request.headers());
    }
}
