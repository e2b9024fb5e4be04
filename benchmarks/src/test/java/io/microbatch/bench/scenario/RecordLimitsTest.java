package io.microbatch.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordLimitsTest {

    private static int number(Map<String, String> settings, String key) {
        return Integer.parseInt(settings.get(key));
    }

    @Test
    void nothingIsSetForWhatTheDefaultsTake() {
        assertThat(new RecordLimits(100_000).producer()).isEmpty();
        assertThat(new RecordLimits(100_000).broker()).isEmpty();
        assertThat(new RecordLimits(990_000).producer()).isEmpty();
    }

    /** A record of exactly the default is larger than it with its key and its frame. */
    @Test
    void everyoneTakesTheRecordWithItsFrame() {
        for (int bytes : new int[] {1_000_000, 1_048_576, 5_000_000, RecordLimits.MAX_BYTES}) {
            RecordLimits limits = new RecordLimits(bytes);
            assertThat(number(limits.producer(), "producer.override.max.request.size"))
                    .isGreaterThan(bytes)
                    .isEqualTo(number(limits.broker(), "message.max.bytes"))
                    .isEqualTo(number(limits.broker(), "replica.fetch.max.bytes"));
            assertThat(number(limits.producer(), "producer.override.buffer.memory"))
                    .isGreaterThanOrEqualTo(33_554_432)
                    .isGreaterThanOrEqualTo(8 * bytes);
        }
    }
}
