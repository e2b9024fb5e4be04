package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run that the limit ended counts for. */
class LoadResultTest {

    private static final long DUE = 1_700_000_000_000_000_000L;
    private static final String LATE = "not at its end within 25 s";

    private static LoadSpec spec(Map<String, String> settings) {
        return LoadSpec.steady("c", "t", Delivery.EXACTLY_ONCE, 100, 2, 3, settings);
    }

    /** The first of 500 events, ten a second. The first 200 are a warm-up. */
    private static LoadResult result(int events, String problem, boolean cut) {
        Reading reading = new Reading(spec(Map.of()));
        SyntheticEvent codec = new SyntheticEvent();
        for (int i = 0; i < events; i++) {
            reading.take(codec.encode(0, 0, i, DUE, 100, false), i, DUE + i * 100_000_000L);
        }
        return new LoadResult(Promise.EXACT, List.of(reading), new Windows(List.of()), 0, 0, Map.of(), problem, cut);
    }

    private static String printed(LoadResult result, LoadSpec spec) {
        StringWriter out = new StringWriter();
        result.printIfNotVerified(spec, new PrintWriter(out));
        return out.toString();
    }

    @Test
    void aStockContenderThatDidNotKeepUpIsAResult() {
        LoadResult collapsed = result(101, LATE, true);
        assertThat(collapsed.isVerified()).isFalse();
        assertThat(collapsed.isSound(true)).isTrue();
        assertThat(collapsed.perSec()).as("of the warm-up too").isEqualTo(10);
        assertThat(collapsed.perSecSinceDue()).isEqualTo(10);
        assertThat(collapsed.findings().lost()).isEqualTo(399);
        assertThat(collapsed.sent().events()).isEqualTo(101);
        assertThat(collapsed.sent().isExactlyOnce()).isTrue();
        assertThat(printed(collapsed, spec(Settings.interval(1, 20))))
                .contains("collapsed: carried 10.0 of 100 events/s; 399 of 500 events not sent within 25 s");
    }

    @Test
    void aRateIsCarriedIfTheRunEndedAndAlmostAllOfItCame() {
        // The measured part of the 500 events has 10 a second.
        LoadResult whole = result(500, "", false);
        assertThat(whole.isVerified()).isTrue();
        assertThat(whole.carried(10)).isTrue();
        assertThat(whole.carried(11)).isFalse();
        assertThat(result(101, LATE, true).carried(10))
                .as("although what came was in time")
                .isFalse();
    }

    /** The measured 400 events come within 40 s. At 11 a second they would be due within 36. */
    @Test
    void anIntervalDelaysTheLastEventsAndNotTheFirst() {
        LoadResult whole = result(500, "", false);
        assertThat(whole.carried(11, 1_000)).isFalse();
        assertThat(whole.carried(11, 2_500)).isTrue();
        assertThat(result(101, LATE, true).carried(10, 2_500)).isFalse();
    }

    @Test
    void oursIsNotVerifiedThen() {
        LoadResult late = result(101, LATE, true);
        assertThat(late.isSound(false)).isFalse();
        assertThat(printed(late, spec(Settings.adaptive()))).contains("NOT VERIFIED");
    }

    @Test
    void aRunWithAFaultIsNoResultOfAnybody() {
        LoadResult late = result(101, LATE, false);
        assertThat(late.isSound(true)).as("something committed is missing").isFalse();
        assertThat(printed(late, spec(Settings.interval(1, 20)))).contains("NOT VERIFIED");
        assertThat(late.sent().lost()).isEqualTo(399);
    }

    @Test
    void knowsWhoIsStock() {
        assertThat(spec(Settings.baseline(1)).isStock()).isTrue();
        assertThat(spec(Settings.interval(1, 20)).isStock()).isTrue();
        assertThat(spec(Settings.adaptive()).isStock()).isFalse();
        assertThat(spec(Settings.fixed(5)).isStock()).isFalse();
        assertThat(spec(Settings.adaptive()).connectorConfig("d")).containsKey("connector.class");
        assertThat(Settings.isStock(spec(Settings.adaptive()).connectorConfig("d")))
                .isFalse();
    }
}
