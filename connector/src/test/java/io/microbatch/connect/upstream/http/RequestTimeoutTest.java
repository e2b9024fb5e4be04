package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configured timeout of requests, over sockets. The clock is the test's, and the reader never comes. */
class RequestTimeoutTest {

    /** So long that the event loop starts no timer of its own before the clock has moved. */
    private static final long TIMEOUT_MS = 2_000;

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    @ParameterizedTest
    @ValueSource(strings = {"X-Other: 1", "X-Request-Timeout-Ms: 600000", "Prefer: wait=600"})
    void endsARequestThatNamesNoneOrALongerOne(String field) {
        Map<String, String> settings = Map.of("request.timeout.ms", Long.toString(TIMEOUT_MS));
        try (RunningServer server = new RunningServer(settings, clock::get);
                RawClient client = server.connect()) {
            client.post("x", field);
            Await.until(
                    "a request",
                    RunningServer.PATIENCE,
                    () -> !server.service.inbox().isEmpty(),
                    () -> "none");
            assertThat(server.service.admission().inflightRequests()).isEqualTo(1);
            long ignored = clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS));
            RawClient.Response response = client.response();
            assertThat(response.status()).as("%s", response).isEqualTo(503);
            assertThat(response.body()).contains("50305");
            assertThat(response.fields()).containsKey("retry-after");
            assertThat(server.take().offer()).as("what the reader gets").isNull();
        }
    }
}
