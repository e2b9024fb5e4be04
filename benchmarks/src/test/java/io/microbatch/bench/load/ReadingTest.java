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
        reading.take(codec.encode(0, 0, sequence, dueNanos, 100, false), dueNanos + latencyMs * MS);
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
        // One event between the two, 1.02 s apart; and two since the first was due, 1.03 s before the last came.
        assertThat(reading.perSec()).isEqualTo(1 / 1.02);
        assertThat(reading.perSecSinceDue()).isEqualTo(2 / 1.03);
        assertThat(reading.findings().isExactlyOnce()).isTrue();
    }

    @Test
    void countsWhatIsNotAsItWasSentAndMissesIt() {
        byte[] altered = codec.encode(0, 0, 1, DUE, 100, false);
        altered[70] ^= 1;
        take(0, DUE, 1);
        reading.take(altered, DUE);
        reading.take(null, DUE);
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
