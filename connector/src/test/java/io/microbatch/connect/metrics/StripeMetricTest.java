package io.microbatch.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.stripe.ByteStripeSet;
import io.microbatch.connect.stripe.StripeProgress;
import io.microbatch.connect.stripe.StripeSet;
import org.junit.jupiter.api.Test;

class StripeMetricTest {

    @Test
    void countsTheRoomForEvents() {
        StripeSet<String> stripes = new StripeSet<>(1, 5, 1 << 10, () -> 0);
        stripes.writer(0).offer("event", 1);
        assertThat(StripeMetric.REMAINING_EVENTS.of(stripes.progress(0))).isEqualTo(4);
    }

    @Test
    void knowsNoRoomForEventsWhereTheyAreBytes() {
        StripeProgress stripe = new ByteStripeSet<String>(1, 1 << 10, 1 << 9, 8, () -> 0).progress(0);
        assertThat(StripeMetric.REMAINING_EVENTS.of(stripe)).isNaN();
        assertThat(StripeMetric.REMAINING_BYTES.of(stripe)).isEqualTo(1 << 10);
    }
}
