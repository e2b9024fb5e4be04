package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.BindException;
import java.nio.channels.OverlappingFileLockException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StartRetryTest {

    private long nowNanos = Long.MAX_VALUE - 7;
    private final StartRetry retry = new StartRetry(() -> nowNanos);

    private long failAfterMs(long ms) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(ms);
        return retry.pauseMsAfter(new RetriableException("not yet"));
    }

    static Stream<Throwable> passing() {
        return Stream.of(
                new RetriableException("later"),
                new org.apache.kafka.common.errors.TimeoutException("later"),
                new ConnectException("port", new BindException("in use")),
                new ConnectException("file", new IllegalStateException(new OverlappingFileLockException())));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void retriesWhileAPredecessorMayHoldTheUpstream(Throwable failure) {
        assertThat(retry.pauseMsAfter(failure)).isPositive();
    }

    @Test
    void failsImmediatelyForOtherCauses() {
        assertThat(retry.pauseMsAfter(new ConnectException("no such database"))).isNegative();
        Exception itsOwnCause = new IllegalStateException("round") {
            private static final long serialVersionUID = 1;

            @Override
            public synchronized Throwable getCause() {
                return this;
            }
        };
        assertThat(retry.pauseMsAfter(itsOwnCause)).isNegative();
        assertThat(retry.waitedMs()).isZero();
    }

    @Test
    void waitsLongerEachTimeUpToALimit() {
        assertThat(failAfterMs(0)).isEqualTo(100);
        assertThat(failAfterMs(100)).isEqualTo(200);
        assertThat(failAfterMs(200)).isEqualTo(400);
        for (int i = 0; i < 10; i++) {
            failAfterMs(1);
        }
        assertThat(failAfterMs(1)).isEqualTo(5_000);
        assertThat(retry.waitedMs()).isEqualTo(311);
    }

    @Test
    void stopsRetryingAtTheLimit() {
        assertThat(failAfterMs(0)).isPositive();
        assertThat(failAfterMs(StartRetry.LIMIT_MS - 1)).isPositive();
        assertThat(failAfterMs(1)).isNegative();
    }
}
