package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AckLatencyTest {

    @Test
    void countsLatenciesPerEventInMicrosecondsUpToAnHour() {
        AckLatency latency = new AckLatency();
        latency.record(100_000, 3);
        latency.record(1, 1);
        latency.record(Long.MAX_VALUE, 1);

        assertThat(latency.interval().getTotalCount()).isEqualTo(5);
        assertThat(latency.interval().getTotalCount()).as("since then").isZero();
        latency.record(100_000, 3);
        assertThat(latency.interval().getValueAtPercentile(50)).isEqualTo(100);
    }
}
