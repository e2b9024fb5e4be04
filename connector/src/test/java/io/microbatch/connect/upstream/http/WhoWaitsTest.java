package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When no client can send another request before an answer. The clock is the test's. */
class WhoWaitsTest {

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    private static void awaitEverybody(RunningServer server) {
        Await.until(
                "that everybody waits",
                RunningServer.PATIENCE,
                () -> server.service.admission().everybodyWaits(),
                () -> server.service.admission().inflightRequests() + " requests");
    }

    private void pass(long ms) {
        long ignored = clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    @Test
    void aClientThatConnectsForEachRequestMaySendTheNextOne() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get);
                RawClient one = server.connect();
                RawClient two = server.connect()) {
            one.post("x", "Connection: close");
            RunningServer.settle(server.offered(), 1);
            assertThat(one.response().closes()).isTrue();
            assertThat(one.isClosed()).isTrue();
            two.post("y");
            PendingRequest waiting = server.offered();
            server.passLoop();
            assertThat(server.service.admission().everybodyWaits())
                    .as("the first client sent a request a moment ago")
                    .isFalse();
            pass(1_001);
            awaitEverybody(server);
            RunningServer.settle(waiting, 2);
            assertThat(two.response().status()).isEqualTo(200);
        }
    }

    @Test
    void aRequestThatTheReaderHasNotSeenComesFirst() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get)) {
            Admission admission = server.service.admission();
            admission.becameActive();
            admission.queued();
            admission.taken();
            assertThat(admission.everybodyWaits()).isTrue();
            admission.becameActive();
            assertThat(admission.everybodyWaits()).isFalse();
            admission.queued();
            assertThat(admission.everybodyWaits())
                    .as("it is on its way to the reader")
                    .isFalse();
            admission.taken();
            assertThat(admission.everybodyWaits()).isTrue();
        }
    }
}
