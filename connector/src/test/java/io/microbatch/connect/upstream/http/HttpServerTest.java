package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The server over real sockets: when it answers, what it refuses, and how long it waits. */
class HttpServerTest {

    private static final String HEAD = "POST /events/orders HTTP/1.1\r\nHost: a\r\n";

    /** Moves only when a test moves it, so that a slow test does not miss a timeout. */
    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    @Test
    void answersWhenTheLastRecordIsSettled() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send(HEAD + "Content-Type: application/x-ndjson\r\nContent-Length: 4\r\n\r\n1\n2\n");
            PendingRequest request = server.offered();
            assertThat(request.places().records()).isEqualTo(2);
            assertThat(server.service.admission().inflightRequests()).isEqualTo(1);
            RunningServer.settle(request, 41);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body())
                    .isEqualTo("{\"offsets\":[{\"partition\":0,\"offset\":41,\"error_code\":null,\"error\":null},"
                            + "{\"partition\":0,\"offset\":42,\"error_code\":null,\"error\":null}],"
                            + "\"key_schema_id\":null,\"value_schema_id\":null}");
            assertThat(server.service.admission().inflightRequests()).isZero();
            assertThat(server.service.admission().inflightBytes()).isZero();
        }
    }

    @Test
    void saysWhichRecordsKafkaDidNotGet() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send(HEAD + "Content-Type: application/x-ndjson\r\nContent-Length: 4\r\n\r\n1\n2\n");
            PendingRequest request = server.offered();
            request.settled(0, null);
            request.settled(
                    1,
                    new org.apache.kafka.clients.producer.RecordMetadata(
                            new org.apache.kafka.common.TopicPartition("orders", 2), 5, 0, 0, 0, 0));
            RawClient.Response some = client.response();
            assertThat(some.status()).isEqualTo(200);
            assertThat(some.body()).contains("\"error_code\":42210").contains("\"partition\":2,\"offset\":5");

            client.post("x");
            server.offered().settled(0, null);
            RawClient.Response none = client.response();
            assertThat(none.status()).isEqualTo(422);
            assertThat(none.body()).contains("42210");
        }
    }

    @Test
    void aRequestThatTheReaderHasNotTakenInTimeIsNeverWritten() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.post("x", "X-Request-Timeout-Ms: 100");
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.body()).contains("50305");
            assertThat(response.fields()).containsKey("retry-after");
            assertThat(server.take().offer()).isNull();
            client.post("y");
            RunningServer.settle(server.offered(), 3);
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    /** The reader is blocked, so that answered requests stay in the inbox. They must not keep what they have sent. */
    @Test
    void aRequestThatIsAnsweredBeforeTheReaderComesKeepsNoEvents() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient late = server.connect();
                RawClient repeat = server.connect()) {
            late.post("x", "X-Request-Timeout-Ms: 100");
            assertThat(late.response().body()).contains("50305");
            PendingRequest request = server.take();
            assertThat(request.holdsEvents()).isFalse();

            repeat.post("y");
            PendingRequest notTaken = server.take();
            assertThat(notTaken.holdsEvents()).isTrue();
            notTaken.answerWith(Answer.of(Cause.CONFLICT, 1), () -> {});
            assertThat(repeat.response().status()).isEqualTo(409);
            assertThat(notTaken.holdsEvents()).isFalse();
            assertThat(server.service.admission().inflightBytes()).isZero();
        }
    }

    @Test
    void aRequestThatTheTaskHasIsUnknownAfterItsTimeout() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get);
                RawClient client = server.connect()) {
            client.post("x", "Prefer: wait=1");
            PendingRequest request = server.offered();
            long ignored = clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(504);
            assertThat(response.body()).contains("50401");
            RunningServer.settle(request, 1);
            client.post("y");
            RunningServer.settle(server.offered(), 2);
            assertThat(client.response().body()).contains("\"offset\":2");
        }
    }

    @Test
    void aClientThatHasGoneIsAnsweredAllTheSame() {
        try (RunningServer server = new RunningServer(Map.of())) {
            PendingRequest request;
            try (RawClient client = server.connect()) {
                client.post("x");
                request = server.offered();
            }
            RunningServer.settle(request, 1);
            Await.until(
                    "nothing in flight and nobody expected to send",
                    RunningServer.PATIENCE,
                    () -> server.service.admission().inflightRequests() == 0
                            && server.service.figures().connections().get() == 0
                            && server.service.admission().everybodyWaits(),
                    () -> "in flight");
        }
    }

    @Test
    void refusesWhileTheTaskIsNotPolled() {
        try (RunningServer server = new RunningServer(Map.of("stall.ms", "500"));
                RawClient client = server.connect()) {
            server.pace.polled(System.nanoTime() - 10_000_000_000L);
            client.post("x");
            assertThat(client.response().body()).contains("50302");
            client.send("GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.response().status()).isEqualTo(503);
            server.pace.polled(System.nanoTime() + 600_000_000_000L);
            client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @Test
    void refusesWhatHasNoRoomOrNoTime() {
        try (RunningServer server = new RunningServer(Map.of("max.inflight.requests", "1"));
                RawClient one = server.connect();
                RawClient two = server.connect()) {
            one.post("x");
            PendingRequest request = server.offered();
            two.post("y");
            RawClient.Response full = two.response();
            assertThat(full.status()).isEqualTo(503);
            assertThat(full.body()).contains("50301");
            RunningServer.settle(request, 1);
            assertThat(one.response().status()).isEqualTo(200);
        }
    }

    @Test
    void refusesATimeoutUnderTheUsualTimeWhileAnotherRequestShowsThatTime() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient one = server.connect();
                RawClient two = server.connect()) {
            server.pace.usualAck(60_000_000_000L);
            one.post("x", "X-Request-Timeout-Ms: 20000");
            PendingRequest probe = server.offered();
            two.post("y", "X-Request-Timeout-Ms: 20000");
            assertThat(two.response().body()).contains("50304");
            assertThat(server.service.inbox().isEmpty()).isTrue();
            RunningServer.settle(probe, 1);
            assertThat(one.response().status()).isEqualTo(200);
        }
    }

    @Test
    void asksForABodyOnlyAfterItsHeadIsAccepted() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect();
                RawClient refused = server.connect()) {
            client.send(HEAD + "Expect: 100-continue\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.response().status()).isEqualTo(100);
            client.send("ab");
            RunningServer.settle(server.offered(), 1);
            assertThat(client.response().status()).isEqualTo(200);
            refused.send("POST /events/other HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            RawClient.Response response = refused.response();
            assertThat(response.status()).isEqualTo(404);
            assertThat(response.closes()).isTrue();
            assertThat(refused.isClosed()).isTrue();
        }
    }

    @Test
    void readsASmallBodyThatItRefusesAndGoesOn() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send("POST /events/other HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.response().status()).isEqualTo(404);
            client.send("POST /events/other HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhello");
            RawClient.Response large = client.response();
            assertThat(large.status()).isEqualTo(404);
            assertThat(large.closes()).isTrue();
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void takesBodiesInChunks() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send(HEAD + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            server.passLoop();
            client.send("2\r\nde\r\n0\r\n\r\n");
            PendingRequest request = server.take();
            assertThat(request.offer().get(0).value()).asString().isEqualTo("abcde");
            RunningServer.settle(request, 1);
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @Test
    void limitsTheBytesOfABody() {
        try (RunningServer server = new RunningServer(Map.of("max.request.bytes", "1024"));
                RawClient announced = server.connect();
                RawClient chunked = server.connect()) {
            announced.post("x".repeat(1_025));
            assertThat(announced.response().status()).isEqualTo(413);
            chunked.send(HEAD + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n"
                    + "x".repeat(1_025) + "\r\n0\r\n\r\n");
            assertThat(chunked.response().status()).isEqualTo(413);
            assertThat(server.service.admission().inflightBytes()).isZero();
        }
    }

    static Stream<String> malformed() {
        return Stream.of(
                HEAD + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                HEAD + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
                HEAD + "Content-Length: -1\r\n\r\n",
                HEAD + "Content-Length: 1x\r\n\r\n",
                HEAD + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                HEAD + "X-A: a\0b\r\n\r\n",
                HEAD + "X A: b\r\n\r\n",
                HEAD + "X-A: a\rb\r\n\r\n",
                "POST /events/orders HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
                "POST /events/orders HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n",
                "POST /events/orders HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /events/orders HTTP/2.0\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
                "\0\0\0\0\r\n\r\n",
                "GET\r\n\r\n");
    }

    @Test
    void refusesTwoKeys() {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send(HEAD + "Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 1\r\n\r\nx");
            assertThat(client.response().status()).isEqualTo(400);
            server.passLoop();
            assertThat(server.service.inbox().isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void refusesWhatTwoProgramsCouldReadInTwoWays(String request) {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            client.send(request);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.closes()).isTrue();
            assertThat(client.isClosed()).isTrue();
            server.passLoop();
            assertThat(server.service.inbox().isEmpty()).isTrue();
        }
    }

    @Test
    void limitsTheHead() {
        try (RunningServer server = new RunningServer(Map.of("max.header.bytes", "1024"));
                RawClient line = server.connect();
                RawClient fields = server.connect()) {
            line.send("GET /" + "a".repeat(5_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(line.response().status()).isEqualTo(414);
            assertThat(line.isClosed()).isTrue();
            fields.send(HEAD + "X-A: " + "a".repeat(2_000) + "\r\n\r\n");
            assertThat(fields.response().status()).isEqualTo(431);
        }
    }

    @Test
    void endsSlowRequestsAndIdleConnections() {
        Map<String, String> quick =
                Map.of("header.timeout.ms", "1000", "body.timeout.ms", "1000", "idle.timeout.ms", "1000");
        try (RunningServer server = new RunningServer(quick, clock::get);
                RawClient silent = server.connect();
                RawClient head = server.connect();
                RawClient body = server.connect();
                RawClient idle = server.connect()) {
            head.send("POST /events/or");
            body.send(HEAD + "Content-Type: text/plain\r\nContent-Length: 10\r\n\r\nabc");
            idle.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(idle.response().status()).isEqualTo(200);
            Await.until(
                    "the begun body",
                    RunningServer.PATIENCE,
                    () -> server.service.admission().inflightBytes() == 3,
                    () -> server.service.admission().inflightBytes() + " bytes");
            server.passLoop();
            long ignored = clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(head.response().status()).isEqualTo(408);
            assertThat(body.response().status()).isEqualTo(408);
            assertThat(silent.isClosed()).isTrue();
            assertThat(head.isClosed()).isTrue();
            assertThat(body.isClosed()).isTrue();
            assertThat(idle.isClosed()).isTrue();
            assertThat(server.service.admission().inflightBytes()).isZero();
        }
    }

    @Test
    void limitsTheConnectionsOfAnAddressAndOfTheTask() {
        Map<String, String> few = Map.of("max.connections", "3", "max.connections.per.address", "2");
        try (RunningServer server = new RunningServer(few);
                RawClient one = server.connect();
                RawClient two = server.connect();
                RawClient three = server.connect();
                RawClient four = server.connect()) {
            one.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            two.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(one.response().status()).isEqualTo(200);
            assertThat(two.response().status()).isEqualTo(200);
            three.post("x");
            RawClient.Response refused = three.response();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).contains("42901");
            assertThat(four.isClosed()).isTrue();
        }
    }

    @Test
    void freesThePortAtOnceWhenTheTaskStops() throws IOException {
        try (RunningServer server = new RunningServer(Map.of());
                RawClient client = server.connect()) {
            int port = server.server.port();
            client.post("x");
            PendingRequest request = server.offered();
            server.server.stopping();
            Await.until("the port is free", RunningServer.PATIENCE, () -> isFree(port), () -> "taken");
            RunningServer.settle(request, 1);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.closes()).isTrue();
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
