package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskPaceTest {

    private final TaskPace pace = new TaskPace(100);

    @Test
    void aTaskThatStartsCountsAsPolledAndHasAcknowledgedNothing() {
        assertThat(pace.polledNanos()).isEqualTo(100);
        assertThat(pace.usualAckNanos()).isZero();
        assertThat(pace.isAtLeastOnce()).isFalse();
    }

    @Test
    void keepsTheLatestOfEach() {
        pace.polled(250);
        pace.usualAck(7);
        pace.polled(300);
        pace.usualAck(9);
        pace.atLeastOnce();

        assertThat(pace.polledNanos()).isEqualTo(300);
        assertThat(pace.usualAckNanos()).isEqualTo(9);
        assertThat(pace.isAtLeastOnce()).isTrue();
    }
}
