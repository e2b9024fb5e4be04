package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrowingRunTest {

    private static final long BEGAN_NANOS = 1_000_000_000_000L;

    private final SyntheticEvent codec = new SyntheticEvent();
    private final List<Integer> runs = new ArrayList<>();

    /** All events were due at the beginning and the last came when a contender of this speed has it. */
    private LoadResult run(int events, double perSec, String problem) {
        runs.add(events);
        LoadSpec spec = LoadSpec.saturating("c", "t", Delivery.EXACTLY_ONCE, events, 0, Map.of());
        Reading reading = new Reading(spec);
        for (int sequence = 0; sequence < events; sequence++) {
            long cameNanos = BEGAN_NANOS + (long) ((sequence + 1) * 1e9 / perSec);
            reading.take(codec.encode(0, 0, sequence, BEGAN_NANOS, 100, false), sequence, cameNanos);
        }
        return new LoadResult(Promise.EXACT, List.of(reading), new Windows(List.of()), 0, 0, problem);
    }

    @Test
    void aSlowContenderHasAFewEvents() {
        LoadResult last = GrowingRun.of(20, 1_000_000, events -> run(events, 5, ""));
        assertThat(runs).containsExactly(20);
        assertThat(last.perSecSinceDue()).isBetween(4.9, 5.1);
    }

    @Test
    void aFastOneGetsMoreUntilTheRunIsLongEnough() {
        LoadResult last = GrowingRun.of(20, 1_000_000, events -> run(events, 1_000, ""));
        assertThat(runs).containsExactly(20, 200, 2_000);
        assertThat(last.first().measured()).isEqualTo(2_000);
    }

    /** What it carries in its first runs is what a cold machine carries. */
    @Test
    void oneThatCarriesTheMostInSomeSecondsGetsThem() {
        LoadResult last = GrowingRun.of(20, 15_000, events -> run(events, events < 5_000 ? 1_000 : 8_000, ""));
        assertThat(runs).containsExactly(20, 200, 2_000, 15_000);
        assertThat(last.first().measured()).isEqualTo(15_000);
    }

    @Test
    void neverMoreThanTheMost() {
        LoadResult ignored = GrowingRun.of(20, 500, events -> run(events, 1_000, ""));
        assertThat(runs).containsExactly(20, 200, 500);
        runs.clear();
        LoadResult one = GrowingRun.of(500, 300, events -> run(events, 1_000, ""));
        assertThat(runs).containsExactly(300);
        assertThat(one.isVerified()).isTrue();
    }

    private static LoadResult cut(LoadResult result) {
        return new LoadResult(
                Promise.EXACT, result.readings(), result.windows(), 0, 0, Map.of(), "not at its end within 90 s", true);
    }

    @Test
    void endsWhereTheLimitEndedARunAndTheNextOneHasFewerEvents() {
        LoadResult last = GrowingRun.of(20, 1_000_000, events -> cut(run(events, 50, "")));
        assertThat(runs).containsExactly(20);
        assertThat(last.isVerified()).isFalse();
        assertThat(last.isSound(true)).isTrue();
        assertThat(last.isSound(false)).as("this connector may hang").isFalse();
        assertThat(GrowingRun.next(1_000_000, last)).as("four seconds").isBetween(199, 201);
        assertThat(GrowingRun.next(100, last)).isEqualTo(100);
        assertThat(GrowingRun.next(1_000_000, cut(run(0, 50, "")))).isEqualTo(20);
        assertThat(GrowingRun.next(1_000, run(10, 50, ""))).as("ended in time").isEqualTo(1_000);
    }

    @Test
    void endsWithARunThatIsNotVerified() {
        LoadResult last = GrowingRun.of(20, 1_000_000, events -> run(events, 1_000, "hangs"));
        assertThat(runs).containsExactly(20);
        assertThat(last.isVerified()).isFalse();
    }
}
