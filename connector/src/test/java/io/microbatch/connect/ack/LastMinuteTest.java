package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LastMinuteTest {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long BEGUN_NANOS = Long.MAX_VALUE - 5 * SECOND_NANOS;

    private final LastMinute minute = new LastMinute(BEGUN_NANOS);
    private long nowNanos = BEGUN_NANOS;

    private void add(long second, long micros) {
        Histogram measured = AckLatency.total();
        if (micros > 0) {
            measured.recordValue(micros);
        }
        nowNanos = BEGUN_NANOS + second * SECOND_NANOS;
        minute.add(nowNanos, measured);
        minute.show(nowNanos);
    }

    @Test
    void knowsNothingBeforeTheFirstMeasurement() {
        assertThat(minute.times(nowNanos).p50()).isNaN();
        add(1, 0);
        assertThat(minute.times(nowNanos).max()).isNaN();
    }

    @Test
    void keepsATimeForFiftyToSixtySeconds() {
        add(9, 5_000);
        add(59, 1_000);
        assertThat(minute.times(nowNanos).max()).as("after 50 s").isBetween(4.9, 5.1);
        add(60, 1_000);
        assertThat(minute.times(nowNanos).max())
                .as("after 51 s, at the end of the minute")
                .isBetween(0.9, 1.1);
    }

    @Test
    void keepsTheLatestTenSecondsAfterAPause() {
        add(1, 5_000);
        add(600, 1_000);
        assertThat(minute.times(nowNanos).max()).isBetween(0.9, 1.1);
        add(609, 0);
        assertThat(minute.times(nowNanos).max()).isBetween(0.9, 1.1);
        add(660, 0);
        assertThat(minute.times(nowNanos).max()).isNaN();
    }

    /** As a task does that is paused, or that waits in a send. */
    @Test
    void knowsNothingAMinuteAfterTheLastUpdate() {
        add(9, 5_000);
        assertThat(minute.times(nowNanos + 60 * SECOND_NANOS - 1).max()).isBetween(4.9, 5.1);
        assertThat(minute.times(nowNanos + 60 * SECOND_NANOS).max()).isNaN();
        assertThat(minute.times(nowNanos + 3_600 * SECOND_NANOS).p99()).isNaN();
        add(3_700, 1_000);
        assertThat(minute.times(nowNanos).max()).as("polled again").isBetween(0.9, 1.1);
    }

    @Test
    void keepsATimeThatIsLongerThanItsHistogramsHold() {
        minute.add(BEGUN_NANOS, Long.MAX_VALUE);
        assertThat(minute.times(nowNanos).max()).as("not shown yet").isNaN();
        minute.show(BEGUN_NANOS);
        assertThat(minute.times(nowNanos).max()).isBetween(3.5e6, 3.7e6);
    }

    @Test
    void givesPercentilesOfAllThatItKeeps() {
        for (int second = 0; second < 50; second++) {
            add(second, second < 25 ? 2_000 : 4_000);
        }
        add(50, 8_000);
        assertThat(minute.times(nowNanos).p50()).isBetween(3.9, 4.1);
        assertThat(minute.times(nowNanos).p99()).isBetween(7.9, 8.1);
    }
}
