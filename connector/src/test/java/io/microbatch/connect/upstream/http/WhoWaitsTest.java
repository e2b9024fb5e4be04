package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
            assertThat(admission.tryQueue()).isTrue();
            admission.taken();
            assertThat(admission.everybodyWaits()).isTrue();
            admission.becameActive();
            assertThat(admission.everybodyWaits()).isFalse();
            assertThat(admission.tryQueue()).isTrue();
            assertThat(admission.everybodyWaits())
                    .as("it is on its way to the reader")
                    .isFalse();
            admission.taken();
            assertThat(admission.everybodyWaits()).isTrue();
        }
    }

    @Test
    void nobodyWaitsForABodyThatDoesNotArrive() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get);
                RawClient healthy = server.connect();
                RawClient slow = server.connect()) {
            slow.send("POST /events/orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 3\r\n\r\na");
            healthy.post("x");
            PendingRequest waiting = server.offered();
            server.passLoop();
            assertThat(server.service.admission().everybodyWaits()).isFalse();
            pass(1_001);
            awaitEverybody(server);
            slow.send("bc");
            PendingRequest late = server.take();
            assertThat(server.service.admission().everybodyWaits()).isTrue();
            RunningServer.settle(waiting, 1);
            assertThat(healthy.response().status()).isEqualTo(200);
            assertThat(server.service.admission().everybodyWaits())
                    .as("the client with an answer may send again")
                    .isFalse();
            assertThat(late.offer()).hasSize(1);
            RunningServer.settle(late, 2);
            assertThat(slow.response().status()).isEqualTo(200);
        }
    }

    @Test
    void refusedClientsDoNotAllComeBackAtOnce() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get)) {
            Set<Integer> seconds = new TreeSet<>();
            for (int client = 0; client < 1_000; client++) {
                boolean ignored = seconds.add(server.service.admission().retryAfterSec());
            }
            assertThat(seconds).containsExactly(1, 2);

            // Kafka takes nothing.
            assertThat(server.service.admission().reserve(1)).isTrue();
            for (int client = 0; client < 1_000; client++) {
                boolean ignored = seconds.add(server.service.admission().retryAfterSec());
            }
            assertThat(seconds).hasSizeGreaterThan(10).last().isEqualTo(30);
        }
    }

    @Test
    void isCrowdedForASecondAfterARefusalForLackOfRoom() {
        try (RunningServer server = new RunningServer(Map.of("max.inflight.requests", "1"), clock::get)) {
            Admission admission = server.service.admission();
            server.pace.polled(clock.get());
            assertThat(admission.refusal(Long.MAX_VALUE, 1)).isNull();
            assertThat(admission.isCrowded()).isFalse();
            assertThat(admission.tryQueue()).isTrue();
            assertThat(admission.refusal(Long.MAX_VALUE, 1)).isEqualTo(Cause.FULL);
            admission.taken();
            admission.answered(0, true);
            assertThat(admission.isCrowded()).isTrue();
            pass(1_001);
            assertThat(admission.isCrowded()).isFalse();
            assertThat(admission.reserve(Integer.MAX_VALUE)).isFalse();
            assertThat(admission.isCrowded()).isTrue();
        }
    }

    @Test
    void nobodyCanSendWhileThereIsNoRoom() {
        try (RunningServer server = new RunningServer(Map.of("max.inflight.requests", "2"), clock::get)) {
            Admission admission = server.service.admission();
            for (int connection = 0; connection < 3; connection++) {
                admission.becameActive();
            }
            assertThat(admission.tryQueue()).isTrue();
            admission.taken();
            assertThat(admission.everybodyWaits()).isFalse();
            assertThat(admission.tryQueue()).isTrue();
            admission.taken();
            assertThat(admission.everybodyWaits())
                    .as("the third connection may send, but is refused before an answer")
                    .isTrue();
            admission.answered(0, true);
            assertThat(admission.everybodyWaits()).isFalse();
        }
    }
}
