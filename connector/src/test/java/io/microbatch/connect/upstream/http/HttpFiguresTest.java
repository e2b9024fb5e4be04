package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which requests and connections the figures of a server count. The clock is of the test. The event loop updates the
 * times.
 */
class HttpFiguresTest {

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    /** Health checks take no time on this clock, so that they would show in the median. */
    @Test
    void healthChecksAreRequestsWhoseTimesDoNotCount() {
        try (RunningServer server = new RunningServer(Map.of(), clock::get);
                RawClient client = server.connect()) {
            for (int round = 1; round <= 2; round++) {
                double before = medianMs(server);
                for (String path : List.of("/health/live", "/health/ready")) {
                    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.response().status()).isEqualTo(200);
                }
                assertThat(answeredWith200(server)).isEqualTo(3 * round - 1);

                int ms = 100 * round;
                client.post("x");
                PendingRequest request = server.offered();
                long ignored = clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
                RunningServer.settle(request, round);
                assertThat(client.response().status()).isEqualTo(200);
                assertThat(answeredWith200(server)).isEqualTo(3 * round);

                Await.until(
                        "another median",
                        RunningServer.PATIENCE,
                        () -> medianMs(server) != before,
                        () -> medianMs(server) + " ms");
                assertThat(medianMs(server)).isBetween(0.99 * ms, 1.01 * ms);
            }
        }
    }

    /** The third connection is one too many. */
    @ParameterizedTest
    @CsvSource({"max.connections, 2, task, address", "max.connections.per.address, 1, address, task"})
    void countsWhatIsClosedAtOnceByItsLimit(String key, String value, String reason, String otherReason) {
        try (RunningServer server = new RunningServer(Map.of(key, value));
                RawClient one = server.connect();
                RawClient two = server.connect()) {
            assertThat(value(server, HttpMetric.CLOSED_TOTAL, reason)).isZero();
            for (int closed = 1; closed <= 2; closed++) {
                try (RawClient third = server.connect()) {
                    assertThat(third.isClosed()).isTrue();
                }
                assertThat(value(server, HttpMetric.CLOSED_TOTAL, reason)).isEqualTo(closed);
            }
            assertThat(value(server, HttpMetric.CLOSED_TOTAL, otherReason)).isZero();
            for (RawClient client : List.of(one, two)) {
                client.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.response().status()).isEqualTo(200);
            }
        }
    }

    private static double medianMs(RunningServer server) {
        return value(server, HttpMetric.ANSWER_P50_MS, "");
    }

    private static double answeredWith200(RunningServer server) {
        return value(server, HttpMetric.REQUEST_TOTAL, "200");
    }

    private static double value(RunningServer server, HttpMetric metric, String tagValue) {
        return server.service.figures().all(server.service.admission()).stream()
                .filter(figure ->
                        figure.metric().equals(metric) && figure.tagValue().equals(tagValue))
                .findFirst()
                .orElseThrow()
                .value()
                .getAsDouble();
    }
}
