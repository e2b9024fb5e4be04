package io.microbatch.bench.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxRowTest {

    private static final OutboxRow ROW = new OutboxRow(17, 4_711, 3, 1_764_000_000_000_000L);

    @Test
    void isReadFromItsPayload() {
        assertThat(OutboxRow.parse(bytes(ROW.payload()))).contains(ROW);
    }

    @Test
    void hasAPayloadOfItsOwnAndTheSameOneAgain() {
        assertThat(ROW.payload()).isEqualTo(new OutboxRow(17, 4_711, 3, 1_764_000_000_000_000L).payload());
        assertThat(filler(ROW)).hasSize(100);
        assertThat(filler(ROW))
                .isNotEqualTo(filler(new OutboxRow(17, 4_712, 3, 1_764_000_000_000_000L)))
                .isNotEqualTo(filler(new OutboxRow(18, 4_711, 3, 1_764_000_000_000_000L)))
                .isNotEqualTo(filler(new OutboxRow(17, 4_711, 3, 1_764_000_000_000_001L)));
    }

    private static String filler(OutboxRow row) {
        return row.payload().replaceAll(".*\"filler\": \"([^\"]*)\".*", "$1");
    }

    @Test
    void hasAnIdOfItsOwnInEachTurn() {
        assertThat(ROW.id(1))
                .isNotEqualTo(ROW.id(2))
                .isNotEqualTo(new OutboxRow(17, 4_712, 3, 0).id(1))
                .isNotEqualTo(new OutboxRow(18, 4_711, 3, 0).id(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "null", "{\"n\": 1}", "{\"n\": 99999999999999999999, \"due\": 1}"})
    void isNotReadFromAnythingElse(String payload) {
        assertThat(OutboxRow.parse(bytes(payload))).isEmpty();
        assertThat(OutboxRow.parse(null)).isEmpty();
    }

    @Test
    void isAsOldAsItsDueTime() {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 0, 0, null, bytes(ROW.payload()));
        assertThat(OutboxRow.origin(record)).hasValueSatisfying(origin -> {
            assertThat(origin.phase()).isEqualTo(3);
            assertThat(origin.sinceMicros()).isEqualTo(1_764_000_000_000_000L);
        });
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
