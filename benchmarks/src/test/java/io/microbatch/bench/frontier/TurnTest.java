package io.microbatch.bench.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.Promise;
import io.microbatch.bench.load.Reading;
import io.microbatch.bench.load.Windows;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run counts for: its figures only if its rate was carried. */
class TurnTest {

    private static final int RATE = 100;
    private static final long INTERVAL = 1_000_000_000L / RATE;
    private static final long DUE = 1_700_000_000_000_000_000L;

    /** 100 events, each this much later after the one before than it was due. */
    private static LoadResult result(int events, double slower, boolean cut) {
        Reading reading = new Reading(new LoadSpec("c", "t", Delivery.EXACTLY_ONCE, "100", 100, 0, 1, Map.of()));
        SyntheticEvent codec = new SyntheticEvent();
        for (int i = 0; i < events; i++) {
            long due = DUE + i * INTERVAL;
            // Two events a transaction, whose control record comes after them.
            reading.take(codec.encode(0, 0, i, due, 100, false), i + i / 2, DUE + Math.round(i * INTERVAL * slower));
        }
        String problem = events < 100 ? "not at its end" : "";
        return new LoadResult(Promise.EXACT, List.of(reading), new Windows(List.of()), 30, 20, Map.of(), problem, cut);
    }

    @Test
    void hasItsFiguresWhereTheRateIsCarried() {
        Turn turn = Turn.of(result(100, 1.04, false), RATE, true);
        assertThat(turn.verified()).isTrue();
        assertThat(turn.carried()).isTrue();
        assertThat(turn.cpu()).isEqualTo(50);
        assertThat(turn.events()).isEqualTo(100);
        assertThat(turn.p99Ms()).isBetween(39.0, 40.0);
        // 49 are committed before the last event, in 1.0296 s.
        assertThat(turn.tps()).isBetween(47.5, 47.7);
    }

    @Test
    void hasNoLatencyWhereItIsNot() {
        Turn turn = Turn.of(result(100, 1.1, false), RATE, true);
        assertThat(turn.verified()).isTrue();
        assertThat(turn.carried()).isFalse();
        assertThat(turn.cut()).isFalse();
        assertThat(turn.perSec()).isBetween(90.0, 92.0);
        assertThat(turn.p99Ms()).isNaN();
        assertThat(turn.cpu()).isNaN();
    }

    @Test
    void aRunThatWasCutOffCarriesNothingAndIsNoFault() {
        Turn turn = Turn.of(result(50, 1, true), RATE, true);
        assertThat(turn.verified()).isTrue();
        assertThat(turn.cut()).isTrue();
        assertThat(turn.carried()).as("although what came was in time").isFalse();
        assertThat(turn.p99Ms()).isNaN();
        assertThat(turn.perSec())
                .as("50 events, of which 49 are after the first")
                .isEqualTo(100);
        assertThat(Turn.of(result(1, 1, true), RATE, true).perSec()).isZero();
        assertThat(Turn.of(result(50, 1, true), RATE, false).verified())
                .as("one of ours may hang")
                .isFalse();
        assertThat(Turn.of(result(0, 1, true), RATE, true).perSec()).isZero();
    }

    @Test
    void aRunThatIsNotVerifiedHasNoFigures() {
        Turn turn = Turn.of(result(50, 1, false), RATE, true);
        assertThat(turn.verified()).isFalse();
        assertThat(turn.carried()).isFalse();
        assertThat(turn.perSec()).isNaN();
    }
}
