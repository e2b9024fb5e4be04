package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of the records of a run: the figures of a result, and whether it is verified. */
class ReadingTest {

    private static final long SEC = 1_000_000_000L;
    private static final long MS = 1_000_000;
    private static final long DUE = 1_700_000_000L * SEC;

    private final SyntheticEvent codec = new SyntheticEvent();
    private final LoadSpec spec = LoadSpec.saturating("c", "t", Delivery.EXACTLY_ONCE, 4, 2, Map.of());
    private final Reading reading = new Reading(spec);

    private void take(long sequence, long dueNanos, long latencyMs) {
        reading.take(codec.encode(0, 0, sequence, dueNanos, 100, false), sequence, dueNanos + latencyMs * MS);
    }

    @Test
    void measuresWhatComesBehindTheWarmUp() {
        take(0, DUE, 900);
        take(1, DUE + SEC, 900);
        take(2, DUE + 2 * SEC, 10);
        take(3, DUE + 3 * SEC, 30);

        assertThat(reading.measured()).isEqualTo(2);
        assertThat(reading.warmEpochMs()).isEqualTo((DUE + 2 * SEC) / MS + 10);
        assertThat(reading.micros().getTotalCount()).isEqualTo(2);
        assertThat(reading.micros().getMaxValue()).isBetween(30_000L, 30_100L);
        // Two events since the one before them came, 1.13 s before the last. Since the first was due: 1.03 s.
        assertThat(reading.perSec()).isEqualTo(2 / 1.13);
        assertThat(reading.perSecSinceDue()).isEqualTo(2 / 1.03);
        assertThat(reading.arrivedPerSec())
                .as("three events after the first, in 2.13 s")
                .isBetween(1.4084, 1.4085);
        assertThat(reading.findings().isExactlyOnce()).isTrue();
    }

    @Test
    void theFirstTransactionOfTheMeasuredPartTakesAsLongAsTheOthers() {
        Reading transactions = new Reading(LoadSpec.saturating("c", "t", Delivery.EXACTLY_ONCE, 40, 10, Map.of()));
        for (int sequence = 0; sequence < 40; sequence++) {
            // Ten events a transaction, one transaction a second.
            long committed = DUE + (sequence / 10 + 1) * SEC;
            transactions.take(codec.encode(0, 0, sequence, DUE, 100, false), sequence, committed);
        }
        assertThat(transactions.measured()).isEqualTo(30);
        assertThat(transactions.perSec()).isEqualTo(10);
    }

    @Test
    void measuresWithoutAWarmUpFromItsFirstEventOn() {
        Reading whole = new Reading(LoadSpec.saturating("c", "t", Delivery.EXACTLY_ONCE, 4, 0, Map.of()));
        for (int sequence = 0; sequence < 4; sequence++) {
            whole.take(codec.encode(0, 0, sequence, DUE, 100, false), sequence, DUE + sequence * SEC);
        }
        assertThat(whole.perSec()).isEqualTo(1);
    }

    @Test
    void measuresNoLongerInTheCoolDown() {
        LoadSpec cooling =
                new LoadSpec("c", "t", Delivery.EXACTLY_ONCE, "0", 4, 1, 9, Map.of(), Layout.SINGLE, Promise.EXACT, 1);
        Reading measuring = new Reading(cooling);
        for (int sequence = 0; sequence < 4; sequence++) {
            assertThat(measuring.hasMeasuredAll()).isEqualTo(sequence == 3);
            measuring.take(codec.encode(0, 0, sequence, DUE, 100, false), sequence, DUE + (sequence + 1) * MS);
        }
        assertThat(measuring.measured()).isEqualTo(2);
        assertThat(measuring.micros().getMaxValue()).isBetween(3_000L, 3_010L);
        assertThat(measuring.findings().isExactlyOnce()).as("all are checked").isTrue();
    }

    @Test
    void countsTransactionsByTheOffsetsThatNoEventHas() {
        assertThat(reading.transactions()).as("nothing yet").isNaN();
        // Warm-up and its control record at 0 to 2, then an event and a control record, then an event.
        long[] offsets = {0, 1, 3, 5};
        for (int sequence = 0; sequence < 4; sequence++) {
            long at = DUE + sequence * SEC;
            reading.take(codec.encode(0, 0, sequence, at, 100, false), offsets[sequence], at);
        }
        assertThat(reading.transactions()).isEqualTo(1);
        assertThat(reading.transactionsPerSec()).isEqualTo(1);
    }

    @Test
    void countsNoTransactionsWhereOffsetsDoNotShowThem() {
        Reading atLeastOnce = new Reading(LoadSpec.saturating("c", "t", Delivery.AT_LEAST_ONCE, 4, 0, Map.of()));
        Reading spread = new Reading(new LoadSpec(
                "c", "t", Delivery.EXACTLY_ONCE, "0", 4, 0, 9, Map.of(), new Layout(1, 3, 1, 1), Promise.EXACT));
        for (Reading each : List.of(atLeastOnce, spread)) {
            each.take(codec.encode(0, 0, 0, DUE, 100, false), 0, DUE);
            each.take(codec.encode(0, 0, 1, DUE, 100, false), 2, DUE + SEC);
            assertThat(each.transactions()).isNaN();
            assertThat(each.transactionsPerSec()).isNaN();
        }
    }

    @Test
    void aRunThatWasCutOffMissesOnlyWhatItsSourceHasNotCommitted() {
        take(0, DUE, 1);
        take(1, DUE, 1);
        assertThat(LoadRun.isReadTo(spec.delivery(), spec.promise(), 2, reading.findings()))
                .isTrue();
        assertThat(LoadRun.isReadTo(spec.delivery(), spec.promise(), 3, reading.findings()))
                .as("one is lost")
                .isFalse();
        assertThat(LoadRun.isReadTo(spec.delivery(), spec.promise(), 1, reading.findings()))
                .as("one would come again")
                .isFalse();
        LoadSpec atLeastOnce = LoadSpec.saturating("c", "t", Delivery.AT_LEAST_ONCE, 4, 2, Map.of());
        assertThat(LoadRun.isReadTo(atLeastOnce.delivery(), atLeastOnce.promise(), 1, reading.findings()))
                .isTrue();
        assertThat(LoadRun.isReadTo(atLeastOnce.delivery(), atLeastOnce.promise(), 3, reading.findings()))
                .isFalse();
    }

    @Test
    void aRunThatWasCutOffMayNotRepeatOrMissInTheMiddle() {
        take(0, DUE, 1);
        take(2, DUE, 1);
        assertThat(LoadRun.isReadTo(spec.delivery(), spec.promise(), 2, reading.findings()))
                .as("a gap")
                .isFalse();
        take(1, DUE, 1);
        assertThat(LoadRun.isReadTo(spec.delivery(), spec.promise(), 3, reading.findings()))
                .as("reordered")
                .isFalse();
        Reading twice = new Reading(spec);
        for (int i = 0; i < 2; i++) {
            twice.take(codec.encode(0, 0, 0, DUE, 100, false), i, DUE);
        }
        assertThat(LoadRun.isReadTo(spec.delivery(), spec.promise(), 1, twice.findings()))
                .as("twice")
                .isFalse();
        Reading foreign = new Reading(spec);
        foreign.take(null, 0, DUE);
        assertThat(LoadRun.isReadTo(spec.delivery(), spec.promise(), 0, foreign.findings()))
                .as("foreign")
                .isFalse();
    }

    @Test
    void countsWhatIsNotAsItWasSentAndMissesIt() {
        byte[] altered = codec.encode(0, 0, 1, DUE, 100, false);
        altered[70] ^= 1;
        take(0, DUE, 1);
        reading.take(altered, 1, DUE);
        reading.take(null, 2, DUE);
        take(2, DUE, 1);
        take(3, DUE, 1);

        assertThat(reading.findings().corrupt()).isEqualTo(2);
        assertThat(reading.findings().lost()).isEqualTo(1);
        assertThat(result(reading, "").isVerified()).isFalse();
    }

    @Test
    void keepsThePausesAndWhereTheSourceWentOn() {
        take(0, DUE, 0);
        take(1, DUE + 49 * MS, 0);
        take(1, DUE + 549 * MS, 0);

        assertThat(reading.pauses()).singleElement().satisfies(pause -> {
            assertThat(pause.lengthMs()).isEqualTo(500);
            assertThat(pause.repeats()).isEqualTo(1);
        });
    }

    /** What a run prepares before, such as topics and consumers, is no time of the connector. */
    @Test
    void countsFromTheRequestThatCreatesTheConnector() {
        reading.creating(1);
        for (int sequence = 0; sequence < 4; sequence++) {
            take(sequence, DUE, 1);
        }
        assertThat(reading.createdEpochMs()).isEqualTo(1);
        assertThat(reading.warmAfterMs()).isEqualTo(reading.warmEpochMs() - 1);
        reading.creating(Long.MAX_VALUE / 2);
        assertThat(reading.warmAfterMs()).isEqualTo(1);
    }

    @Test
    void aResultIsVerifiedOnlyIfEveryGroupIsAndTheRunCameToItsEnd() {
        for (int sequence = 0; sequence < 4; sequence++) {
            take(sequence, DUE, 1);
        }
        assertThat(result(reading, "").isVerified()).isTrue();
        assertThat(result(reading, "stuck").isVerified()).isFalse();
        assertThat(result(reading, "stuck").text()).isEqualTo("lost 0, duplicated 0, reordered 0, stuck");
        LoadResult oneSaw =
                new LoadResult(Promise.EXACT, List.of(reading, new Reading(spec)), new Windows(List.of()), 0, 0, "");
        assertThat(oneSaw.isVerified()).isFalse();
        assertThat(oneSaw.text()).isEqualTo("lost 4 (tail 4), duplicated 0, reordered 0");
    }

    @Test
    void aSilentRunIsAtItsEndOnlyWhereTheSourceIs() throws IOException {
        assertThat(LoadRun.unfinished(spec, offsets(4))).isEmpty();
        assertThat(LoadRun.unfinished(spec, offsets(3))).isEqualTo("silent when the source was at 3 of 4");
    }

    private static com.fasterxml.jackson.databind.JsonNode offsets(int events) throws IOException {
        return new ObjectMapper()
                .readTree("{\"offsets\":[{\"offset\":{\"events\":" + (events - 1) + "}},{\"offset\":{\"events\":1}}]}");
    }

    private static LoadResult result(Reading reading, String problem) {
        return new LoadResult(spec().promise(), List.of(reading), new Windows(List.of()), 0, 0, problem);
    }

    private static LoadSpec spec() {
        return LoadSpec.saturating("c", "t", Delivery.EXACTLY_ONCE, 4, 2, Map.of());
    }
}
