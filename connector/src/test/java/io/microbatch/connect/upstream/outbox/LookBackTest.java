package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LookBackTest {

    private final AtomicLong nanos = new AtomicLong();
    private final LookBack lookBack = new LookBack(null, null, () -> false, nanos::get);

    @Test
    void isDueWhenThereIsNothingToRead() {
        assertThat(lookBack.isDue(false)).isTrue();
    }

    @Test
    void waitsWhileThereAreRowsToReadAndNotForever() {
        assertThat(lookBack.isDue(true)).isFalse();
        nanos.set(LookBack.INTERVAL_NANOS - 1);
        assertThat(lookBack.isDue(true)).isFalse();
        nanos.set(LookBack.INTERVAL_NANOS);
        assertThat(lookBack.isDue(true)).isTrue();
    }
}
