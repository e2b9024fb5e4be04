package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Await;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Clients are timed out for as long as the server runs, also after a shortage of memory. */
class ServerTimersTest {

    /** Most of them in the look at the connections, of which there are four a second. */
    private static final int FAILURES = 6;

    private final AtomicLong clock = new AtomicLong(System.nanoTime());
    private final AtomicInteger planted = new AtomicInteger();

    private long nanos() {
        if (planted.get() > 0 && planted.decrementAndGet() >= 0) {
            throw new OutOfMemoryError("planted");
        }
        return clock.get();
    }

    @Test
    void runOnAfterAnError() {
        try (RunningServer server = new RunningServer(Map.of("header.timeout.ms", "1000"), this::nanos);
                RawClient slow = server.connect()) {
            slow.send("POST /ev");
            server.passLoop();
            Await.until(
                    "no other connection",
                    RunningServer.PATIENCE,
                    () -> server.service.figures().connections().get() == 1,
                    () -> server.service.figures().connections().get() + " connections");
            planted.set(FAILURES);
            Await.until("the errors", RunningServer.PATIENCE, () -> planted.get() <= 0, planted::toString);
            long ignored = clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(slow.response().status()).isEqualTo(408);
        }
    }
}
