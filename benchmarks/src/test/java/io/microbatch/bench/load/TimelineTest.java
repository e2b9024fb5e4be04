package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimelineTest {

    private static final long DUE = 1_700_000_000_000_000_000L;

    @Test
    void countsWhatTookLonger() {
        Timeline timeline = new Timeline();
        timeline.add(DUE, 10_000);
        timeline.add(DUE + 1, 74_000);
        timeline.add(DUE + 2, 90_000);
        timeline.add(DUE + 3, 2_000_000);
        assertThat(timeline.events(0)).isEqualTo(4);
        assertThat(timeline.eventsAbove(0, 75)).isEqualTo(2);
        assertThat(timeline.eventsAbove(0, 5)).isEqualTo(4);
        assertThat(timeline.eventsAbove(0, 60_000)).isZero();
    }

    @Test
    void countsNothingInASliceWithoutEvents() {
        Timeline timeline = new Timeline();
        timeline.add(DUE, 10_000);
        timeline.add(DUE + 2 * Timeline.SLICE_MS * 1_000_000, 10_000);
        assertThat(timeline.size()).isEqualTo(3);
        assertThat(timeline.events(1)).isZero();
        assertThat(timeline.eventsAbove(1, 1)).isZero();
    }
}
