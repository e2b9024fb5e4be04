package io.microbatch.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.control.FinalCommand.Way;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stock settings that {@code bench regret} and {@code bench final} compare with. */
class RivalsTest {

    @Test
    void regretHasAnIntervalWithALingerAsLong() {
        Map<String, Map<String, String>> intervals = RegretCommand.intervals();
        assertThat(intervals).containsKeys("interval_20", "interval_50", "unbuffered_interval_50");
        assertThat(intervals.get("interval_50")).doesNotContainKey(Settings.LINGER);
        assertThat(intervals.get("interval_50_linger_50")).isEqualTo(Settings.withLinger(Settings.interval(1, 50), 50));
        assertThat(intervals.get("interval_20_linger_20")).isEqualTo(Settings.withLinger(Settings.interval(1, 20), 20));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aWayHasALingerOnlyWhereItIsCalledAfterOne(Way way) {
        String expected = switch (way) {
            case LINGER -> "100";
            case INTERVAL_50_LINGER_50 -> "50";
            default -> "0";
        };
        assertThat(way.settings()).containsEntry(Settings.LINGER, expected);
    }

    @Test
    void anIntervalWithALingerIsForExactlyOnceOnly() {
        assertThat(Way.INTERVAL_50_LINGER_50.settings()).containsAllEntriesOf(Settings.interval(1, 50));
        assertThat(Way.INTERVAL_50_LINGER_50.isFor(Delivery.EXACTLY_ONCE)).isTrue();
        assertThat(Way.INTERVAL_50_LINGER_50.isFor(Delivery.AT_LEAST_ONCE)).isFalse();
    }
}
