package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.AckSignals.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AckSignalsTest {

    private final AckSignals signals = new AckSignals();
    private final List<String> drained = new ArrayList<>();

    private List<String> drain() {
        drained.clear();
        signals.drainTo((delayNanos, worstNanos, transactional) ->
                drained.add(delayNanos + " " + worstNanos + " " + transactional));
        return drained;
    }

    @Test
    void reportsNothingBeforeTheEndOfABatch() {
        assertThat(drain()).isEmpty();
        signals.signal(0, 70, true);
        assertThat(drain()).as("the oldest event of an unfinished batch").isEmpty();
        signals.signal(5, 60, true);
        assertThat(drain()).as("the worse of both").containsExactly("5 70 true");
    }

    @Test
    void reportsTheWorstOfSeveralBatches() {
        signals.signal(9, 10, false);
        signals.signal(3, 40, false);
        assertThat(drain()).containsExactly("9 40 false");
    }

    @Test
    void startsAgainAfterEachDrain() {
        signals.signal(9, 90, false);
        assertThat(drain()).hasSize(1);
        assertThat(drain()).isEmpty();
        signals.signal(1, 2, false);
        assertThat(drain()).containsExactly("1 2 false");
    }

    @Test
    void recognisesTheDeliveryModeByTheAcknowledgingThread() {
        assertThat(signals.delivery()).isEqualTo(Delivery.UNKNOWN);
        signals.signal(0, 1, false);
        assertThat(signals.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
        signals.signal(0, 1, true);
        assertThat(signals.delivery()).isEqualTo(Delivery.EXACTLY_ONCE);
        assertThat(Delivery.values())
                .extracting(Delivery::text)
                .containsExactly("unknown", "at-least-once", "exactly-once");
    }
}
