package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PauseTest {

    private static final long MS = 1_000_000;
    private static final SyntheticEvent EVENT = new SyntheticEvent();

    private final Reading reading = new Reading(new LoadSpec(
            "connector",
            "topic",
            Delivery.AT_LEAST_ONCE,
            "0",
            20,
            0,
            1,
            Map.of(),
            new Layout(1, 1, 2, 1),
            Promise.EXACT));

    private void read(long atMs, int partition, long sequence) {
        reading.take(EVENT.encode(1, partition, sequence, MS, 60, false), 0, atMs * MS);
    }

    @Test
    void saysWhenNothingCameAndHowFarTheSourceWentBack() {
        read(1_000, 0, 0);
        read(1_010, 1, 0);
        read(1_020, 0, 1);
        read(1_020, 0, 2);
        read(3_020, 0, 1);
        read(3_030, 1, 1);
        read(3_430, 1, 2);
        assertThat(reading.pauses())
                .containsExactly(new Pause(1_020 * MS, 3_020 * MS, 3, 1), new Pause(3_030 * MS, 3_430 * MS, 2, 2));
        Pause longest = Pause.longestAfter(reading.pauses(), 1_500 * MS).orElseThrow();
        assertThat(longest.lengthMs()).isEqualTo(2_000);
        assertThat(longest.repeats()).isEqualTo(2);
        assertThat(reading.findings().duplicated()).isEqualTo(1);
    }

    @Test
    void whatWasOverBeforeDoesNotCount() {
        List<Pause> pauses = List.of(new Pause(0, 900, 1, 1), new Pause(1_000, 1_100, 2, 2));
        assertThat(Pause.longestAfter(pauses, 950)).contains(pauses.get(1));
        assertThat(Pause.longestAfter(pauses, 1_200)).isEmpty();
    }
}
