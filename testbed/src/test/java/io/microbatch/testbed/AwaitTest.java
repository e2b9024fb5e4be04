package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {

    @Test
    void returnsAsSoonAsTheConditionHolds() {
        AtomicInteger asked = new AtomicInteger();
        assertThat(Await.reached(Duration.ofSeconds(30), () -> asked.incrementAndGet() == 3))
                .isTrue();
    }

    @Test
    void checksTheConditionOnceWithALimitOfZero() {
        assertThat(Await.reached(Duration.ofSeconds(-1), () -> true)).isTrue();
        assertThat(Await.reached(Duration.ZERO, () -> false)).isFalse();
    }

    @Test
    void namesTheConditionAndTheLastState() {
        assertThatThrownBy(() -> Await.until("the tide", Duration.ZERO, () -> false, () -> "ebb"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the tide")
                .hasMessageContaining("ebb");
    }

    @Test
    void failsWhenTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> Await.reached(Duration.ofSeconds(30), () -> false))
                    .isInstanceOf(IllegalStateException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
