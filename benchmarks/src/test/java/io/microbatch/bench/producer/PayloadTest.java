package io.microbatch.bench.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PayloadTest {

    private final SyntheticEvent codec = new SyntheticEvent();

    @ParameterizedTest
    @EnumSource(SendMode.class)
    void everyEventOfARecordCanBeCheckedAndKnowsItsPlace(SendMode mode) {
        Payload payload = new Payload(Payload.Kind.RANDOM);
        long first = 7L * mode.eventsPerRecord();
        byte[] record = payload.record(first, mode.eventsPerRecord());

        assertThat(record).hasSize(mode.eventsPerRecord() * Payload.EVENT_BYTES);
        for (int i = 0; i < mode.eventsPerRecord(); i++) {
            assertThat(codec.decode(event(record, i)).sequence()).isEqualTo(first + i);
        }
    }

    @ParameterizedTest
    @EnumSource(Payload.Kind.class)
    void aChangedByteIsSeen(Payload.Kind kind) {
        byte[] record = new Payload(kind).record(0, 10);
        record[5 * Payload.EVENT_BYTES + 60]++;
        assertThatThrownBy(() -> codec.decode(event(record, 5))).isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] event(byte[] record, int index) {
        return Arrays.copyOfRange(record, index * Payload.EVENT_BYTES, (index + 1) * Payload.EVENT_BYTES);
    }
}
