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

    /** Times as after a transaction of events that arrived evenly, and one that jumps back. */
    @Test
    void countsTheTimesOfTheTaskThreadAsThoseOfAnyOther() {
        AckLatency any = new AckLatency();
        AckLatency task = new AckLatency();
        for (int i = 0; i <= 5_000; i++) {
            long nanos = i == 3_000 ? Long.MAX_VALUE : 50_000_000 - i * 10_000L;
            any.record(nanos, 1 + i % 3);
            task.recordOnTaskThread(nanos, 1 + i % 3);
        }
        assertThat(task.interval()).isEqualTo(any.interval());
        assertThat(task.interval().getTotalCount()).as("since then").isZero();

        task.recordOnTaskThread(7_000_000, 2);
        task.record(9_000_000, 1);
        assertThat(task.interval().getTotalCount()).as("of both").isEqualTo(3);
        task.recordOnTaskThread(7_000_000, 2);
        assertThat(task.interval().getTotalCount())
                .as("of the time before, again")
                .isEqualTo(2);
    }
}
