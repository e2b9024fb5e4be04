package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureLogTest {

    private final FailureLog failures = new FailureLog();

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE})
    void logsEachKindOnceAMinute(long startNanos) {
        long minute = TimeUnit.MINUTES.toNanos(1);
        assertThat(failures.tryAcquire(new IllegalStateException("a"), startNanos))
                .isTrue();
        assertThat(failures.tryAcquire(new IllegalStateException("b"), startNanos + minute - 1))
                .isFalse();
        assertThat(failures.tryAcquire(new IllegalArgumentException("a"), startNanos + 1))
                .isTrue();
        assertThat(failures.tryAcquire(new IllegalStateException("b"), startNanos + minute))
                .isTrue();
        assertThat(failures.tryAcquire(new IllegalStateException("b"), startNanos + minute + 1))
                .isFalse();
    }

    /** Otherwise clients that try again would fill the log. */
    @Test
    void logsEachLimitOfConnectionsOnceAMinute() {
        long minute = TimeUnit.MINUTES.toNanos(1);
        assertThat(failures.tryAcquire(ConnectionLimit.TASK, 0)).isTrue();
        assertThat(failures.tryAcquire(ConnectionLimit.TASK, minute - 1)).isFalse();
        assertThat(failures.tryAcquire(ConnectionLimit.ADDRESS, minute - 1)).isTrue();
        assertThat(failures.tryAcquire(ConnectionLimit.TASK, minute)).isTrue();
    }

    @Test
    void isOfOneTask() {
        assertThat(failures.tryAcquire(new IllegalStateException("a"), 0)).isTrue();
        assertThat(new FailureLog().tryAcquire(new IllegalStateException("a"), 0))
                .isTrue();
    }
}
