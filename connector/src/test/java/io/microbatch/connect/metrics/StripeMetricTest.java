package io.microbatch.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import org.junit.jupiter.api.Test;

class StripeMetricTest {

    @Test
    void countsTheRoomForEventsAndBytes() {
        StripeSet<String> stripes = new StripeSet<>(1, 5, 1 << 10, () -> 0);
        Offering.offer(stripes.writer(0), "event", 1);
        assertThat(StripeMetric.REMAINING_EVENTS.of(stripes.progress(0))).isEqualTo(4);
        assertThat(StripeMetric.REMAINING_BYTES.of(stripes.progress(0))).isEqualTo(1_023);
    }
}
