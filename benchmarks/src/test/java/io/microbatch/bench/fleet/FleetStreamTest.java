package io.microbatch.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import org.junit.jupiter.api.Test;

class FleetStreamTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000L;

    private final SyntheticEvent codec = new SyntheticEvent();

    /** An event of each second from 0 to 3, of which those of seconds 1 and 2 are measured. */
    private final FleetStream stream = new FleetStream(4, SECOND, 3 * SECOND);

    private void take(int sequence, long offset) {
        byte[] value = codec.encode(0, 0, sequence, sequence * SECOND, 100, false);
        stream.take(value, offset, sequence * SECOND + (10 + sequence) * MS);
    }

    @Test
    void measuresTheEventsThatAreDueInTheMeasuredPart() {
        take(0, 0);
        take(1, 2);
        take(2, 4);
        assertThat(stream.hasEnded()).isFalse();
        take(3, 6);
        assertThat(stream.hasEnded()).isTrue();
        assertThat(stream.findings().isExactlyOnce()).isTrue();
        assertThat(stream.micros().getTotalCount()).isEqualTo(2);
        assertThat(stream.micros().getMaxValue()).isBetween(12_000L, 12_010L);
        assertThat(stream.transactions()).isEqualTo(2);
    }

    @Test
    void countsNoTransactionBetweenEventsOfOne() {
        take(0, 0);
        take(1, 2);
        take(2, 3);
        take(3, 4);
        assertThat(stream.transactions()).isEqualTo(1);
    }

    @Test
    void findsAnEventThatComesTwiceOrNotAtAll() {
        take(0, 0);
        take(0, 1);
        take(3, 2);
        assertThat(stream.findings().duplicated()).isEqualTo(1);
        assertThat(stream.findings().lost()).isEqualTo(2);
    }

    @Test
    void findsARecordThatIsNoEvent() {
        stream.take(new byte[100], 0, 0);
        assertThat(stream.findings().corrupt()).isEqualTo(1);
    }
}
