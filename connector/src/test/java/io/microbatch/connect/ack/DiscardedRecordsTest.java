package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class DiscardedRecordsTest {

    private final RecordMetadata metadata = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);
    private final DiscardedRecords discarded = new DiscardedRecords();
    private final List<EventRecord> records =
            IntStream.range(0, 8).mapToObj(DiscardedRecordsTest::record).toList();

    private static EventRecord record(int offset) {
        SourceRecord record = new SourceRecord(Map.of(), Map.of("o", offset), "t", null, null);
        return new EventRecord(record, record, 1, 0);
    }

    private void acknowledge(int record) {
        records.get(record).settle(metadata, 1);
        discarded.acknowledged();
    }

    private List<Integer> settle() {
        List<Integer> found = new ArrayList<>();
        discarded.settle(5, event -> found.add(records.indexOf(event)));
        return found;
    }

    @Test
    void isWhatComesBeforeAnAcknowledgedRecord() {
        discarded.returned(List.copyOf(records));
        acknowledge(5);
        records.get(2).settle(null, 1);

        assertThat(settle()).containsExactly(0, 1, 3, 4);
        assertThat(records.get(3).isDiscarded()).isTrue();
        assertThat(records.get(3).isDelivered()).isFalse();
        assertThat(records.get(3).settledNanos()).isEqualTo(5);
        assertThat(records.get(2).isDiscarded()).as("filtered").isFalse();
        assertThat(records.get(6).isSettled()).as("perhaps on its way").isFalse();
    }

    @Test
    void isFoundOnceAcrossBatches() {
        discarded.returned(List.copyOf(records.subList(0, 4)));
        assertThat(settle()).as("nothing is acknowledged yet").isEmpty();
        discarded.returned(List.copyOf(records.subList(4, 8)));
        acknowledge(4);
        assertThat(settle()).containsExactly(0, 1, 2, 3);
        assertThat(settle()).isEmpty();
        acknowledge(7);
        assertThat(settle()).containsExactly(5, 6);
    }

    @Test
    void keepsItsStateWhenTheLedgerReducesIt() {
        discarded.returned(List.copyOf(records));
        acknowledge(1);
        assertThat(settle()).containsExactly(0);
        assertThat(KeptEvent.withPlace(records.get(0)).isDiscarded()).isTrue();
        assertThat(KeptEvent.withOrigin(records.get(1)).isDiscarded()).isFalse();
    }
}
