package io.microbatch.bench.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.oracle.Event;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeliveredTest {

    private static final long RUN = 7;
    private static final int EVENTS = 10;

    private final Delivered delivered = new Delivered(RUN, EVENTS);

    private void saw(int... sequences) {
        IntStream.of(sequences).forEach(sequence -> saw(delivered, sequence, "key", "value", "header", 0));
    }

    private static void saw(Delivered by, int sequence, String key, String value, String header, long ms) {
        by.saw(Records.record(key + sequence, value, header, ms), new Event(RUN, 0, sequence, 0));
    }

    @Test
    void findsNothingWhereNothingIsWrong() {
        saw(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(delivered.isComplete()).isTrue();
        assertThat(delivered.findings().isExactlyOnce()).isTrue();
        assertThat(delivered.altered()).isZero();
    }

    @Test
    void findsALostEventAndALostTail() {
        saw(0, 1, 2, 4, 5, 6, 7, 8);
        assertThat(delivered.isComplete()).isFalse();
        assertThat(delivered.findings().lost()).isEqualTo(2);
    }

    @Test
    void findsADuplicate() {
        saw(0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9);
        assertThat(delivered.findings().duplicated()).isEqualTo(1);
        assertThat(delivered.findings().lost()).isZero();
    }

    @Test
    void findsTwoThatChangedPlaces() {
        saw(0, 1, 2, 4, 3, 5, 6, 7, 8, 9);
        assertThat(delivered.findings().reordered()).isEqualTo(1);
    }

    @Test
    void findsAPayloadThatIsNotWhatWasSent() {
        saw(0, 1, 2);
        delivered.saw(Records.record("key3", "garbage"), null);
        saw(4, 5, 6, 7, 8, 9);
        assertThat(delivered.altered()).isEqualTo(1);
        assertThat(delivered.findings().lost()).isEqualTo(1);
    }

    @Test
    void findsARepetitionThatIsNotAlike() {
        saw(0, 1);
        saw(delivered, 1, "key", "value", "another header", 0);
        assertThat(delivered.altered()).isEqualTo(1);
    }

    @Test
    void findsEverythingInWhichTwoSidesDiffer() {
        Delivered other = new Delivered(RUN, EVENTS);
        saw(0, 1, 2, 3, 4);
        saw(other, 0, "key", "value", "header", 0);
        saw(other, 1, "another key", "value", "header", 0);
        saw(other, 2, "key", null, "header", 0);
        saw(other, 3, "key", "value", null, 0);
        saw(other, 4, "key", "value", "header", 1);
        saw(other, 5, "key", "value", "header", 0);
        assertThat(other.differentFrom(delivered)).isEqualTo(4);
    }
}
