package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What clients are told when the task stops or fails: written, not written or unknown. */
class HttpServerStopTest {

    private static final String STOPPING = "50303";
    private static final String FAILED = "50001";

    /** A server that waits so long for Connect when it stops. Its event loops have time on a slow machine too. */
    private static RunningServer waiting(Duration settle) {
        return new RunningServer(
                Map.of(),
                System::nanoTime,
                new HttpServer.StopLimits(settle.toNanos(), RunningServer.PATIENCE.toNanos()));
    }

    /** A request that Connect has got. */
    private static PendingRequest left(RunningServer server) {
        PendingRequest request = server.take();
        HttpEvent event = request.offer().get(0);
        EventRecord visible =
                new EventRecord(new HttpRecord(request, 0, event, Map.of("http", 0), Map.of("n", 1L)), 1, 0);
        request.becomesVisible(visible);
        visible.joins(new ReturnedBatch(0, PressureLevel.ofNumber(1), 0), 0);
        return request;
    }

    private static void assertEnds(RawClient client, int status, String text) {
        RawClient.Response response = client.response();
        assertThat(response.status()).as("%s", response).isEqualTo(status);
        assertThat(response.body()).contains(text);
        assertThat(response.closes()).isTrue();
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void aStopRefusesWhatNeverLeftAndWaitsForTheRest() {
        RunningServer server = waiting(RunningServer.PATIENCE);
        try (RawClient queued = server.connect();
                RawClient offered = server.connect();
                RawClient settled = server.connect();
                RawClient idle = server.connect();
                RawClient sending = server.connect()) {
            settled.post("s");
            PendingRequest settledRequest = left(server);
            offered.post("o");
            PendingRequest offeredRequest = server.offered();
            queued.post("q");
            Await.until(
                    "queued",
                    RunningServer.PATIENCE,
                    () -> !server.service.inbox().isEmpty(),
                    () -> "");
            sending.send("POST /events/orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 5\r\n\r\nab");
            server.passLoop();

            server.server.stopping();
            assertEnds(queued, 503, STOPPING);
            assertEnds(sending, 503, STOPPING);
            assertThat(idle.isClosed()).isTrue();
            assertThat(server.take().offer()).isNull();

            CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> server.server.close(true));
            assertEnds(offered, 503, STOPPING);
            RunningServer.settle(settledRequest, 5);
            assertEnds(settled, 200, "\"offset\":5");
            closed.join();
            RunningServer.settle(offeredRequest, 6);
            assertThat(server.service.admission().inflightRequests()).isZero();
        }
    }

    @Test
    void whatConnectHasAndDoesNotSettleIsUnknownAfterAStop() {
        RunningServer server = waiting(Duration.ZERO);
        try (RawClient client = server.connect()) {
            client.post("x");
            PendingRequest request = left(server);
            server.server.close(true);
            assertEnds(client, 500, FAILED);
            RunningServer.settle(request, 1);
        }
    }

    @Test
    void whatTheTaskHasIsUnknownAfterAFailure() {
        RunningServer server = waiting(Duration.ZERO);
        try (RawClient offered = server.connect();
                RawClient queued = server.connect()) {
            offered.post("o");
            assertThat(server.offered().hasLeft()).isFalse();
            queued.post("q");
            Await.until(
                    "queued",
                    RunningServer.PATIENCE,
                    () -> !server.service.inbox().isEmpty(),
                    () -> "");
            server.server.close(false);
            assertEnds(offered, 500, FAILED);
            assertEnds(queued, 503, STOPPING);
        }
    }

    @Test
    void anAbandonedServerAnswersWithoutWaiting() {
        RunningServer server = new RunningServer(Map.of());
        try (RawClient client = server.connect()) {
            client.post("x");
            PendingRequest request = left(server);
            server.server.abandon();
            assertEnds(client, 500, FAILED);
            RunningServer.settle(request, 1);
        }
    }
}
