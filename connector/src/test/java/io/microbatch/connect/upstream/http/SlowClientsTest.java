package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send or read hardly anything do not take what others need. The clock is the test's. */
@Timeout(180)
class SlowClientsTest {

    private static final int SLOW = 200;
    private static final int HEALTHY = 8;
    private static final int REQUESTS = 50;

    private static final String HEAD =
            "POST /events/orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n" + "Content-Length: 1000\r\n";
    private static final String HEALTH = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";

    /** Less than there are slow clients. */
    private static final Map<String, String> FEW_REQUESTS = Map.of("max.inflight.requests", "16");

    private final AtomicLong clock = new AtomicLong(System.nanoTime());
    private final List<RawClient> slow = new ArrayList<>();

    /** What clients of each kind send at first, and then again and again. */
    private enum Kind {
        SILENT("", ""),
        HEAD_BYTE_BY_BYTE(HEAD + "X-Slow: ", "a"),
        BODY_BYTE_BY_BYTE(HEAD + "\r\n", "b"),
        /** The sockets' buffers take these answers. {@link UnreadAnswerTest} has larger ones. */
        READS_NO_ANSWER(HEALTH, HEALTH);

        private final String first;
        private final String more;

        Kind(String first, String more) {
            this.first = first;
            this.more = more;
        }
    }

    private static Kind kind(int client) {
        return Kind.values()[client % Kind.values().length];
    }

    @AfterEach
    void closeSlow() {
        slow.forEach(RawClient::close);
    }

    @Test
    void healthyClientsAreAllServedMeanwhile() throws InterruptedException {
        try (RunningServer server = new RunningServer(FEW_REQUESTS, clock::get)) {
            for (int client = 0; client < SLOW; client++) {
                RawClient socket = server.connect();
                boolean ignored = slow.add(socket);
                socket.send(kind(client).first);
            }
            AtomicInteger written = new AtomicInteger();
            List<Thread> healthy = new ArrayList<>();
            for (int client = 0; client < HEALTHY; client++) {
                Thread thread = new Thread(() -> post(server, written), "healthy-" + client);
                thread.setDaemon(true);
                thread.start();
                boolean ignored = healthy.add(thread);
            }
            serve(server, healthy);
            assertThat(written).hasValue(HEALTHY * REQUESTS);
            assertThat(server.service.figures().connections().get())
                    .as("the slow ones were there all the time")
                    .isGreaterThanOrEqualTo(SLOW);

            Await.until(
                    "the slow ones are closed",
                    RunningServer.PATIENCE,
                    () -> {
                        long ignored = clock.addAndGet(TimeUnit.SECONDS.toNanos(30));
                        return server.service.figures().connections().get() == 0;
                    },
                    () -> server.service.figures().connections() + " are open");
            assertThat(server.service.admission().inflightBytes()).isZero();
        }
    }

    private static void post(RunningServer server, AtomicInteger written) {
        try (RawClient client = server.connect()) {
            for (int request = 0; request < REQUESTS; request++) {
                client.post("an event");
                int ignored = client.response().status() == 200 ? written.incrementAndGet() : written.get();
            }
        }
    }

    /** Plays the reader and Connect until the healthy clients have ended, and lets the slow ones send now and then. */
    private void serve(RunningServer server, List<Thread> healthy) throws InterruptedException {
        int settled = 0;
        while (healthy.stream().anyMatch(Thread::isAlive)) {
            PendingRequest request = server.service.inbox().poll();
            if (request == null) {
                server.service.inbox().await(TimeUnit.MILLISECONDS.toNanos(10), () -> false);
                continue;
            }
            server.service.admission().taken();
            if (request.offer() != null) {
                RunningServer.settle(request, settled);
            }
            if (++settled % HEALTHY == 0) {
                for (int client = 0; client < SLOW; client++) {
                    slow.get(client).send(kind(client).more);
                }
            }
        }
    }
}
