package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.BatchMember;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class EventRecordTest {

    private static final RecordMetadata SENT = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    private static SourceRecord origin(Map<String, ?> partition, Map<String, ?> offset) {
        return new SourceRecord(
                partition,
                offset,
                "topic",
                3,
                Schema.STRING_SCHEMA,
                "key",
                Schema.STRING_SCHEMA,
                "value",
                99L,
                new ConnectHeaders().addString("trace", "abc"));
    }

    private static SourceRecord origin() {
        return origin(Map.of("p", 1), Map.of("o", 2));
    }

    @Test
    void isADistinctKeyOfAHashMapWithEqualValues() {
        SourceRecord same = origin();
        assertThat(origin()).as("the values are equal").isEqualTo(same);

        Map<SourceRecord, Integer> committable = new LinkedHashMap<>();
        EventRecord first = new EventRecord(same, 10, 1);
        EventRecord second = new EventRecord(same, 10, 1);
        committable.put(first, 1);
        committable.put(second, 2);
        committable.put(first, 3);

        assertThat(committable).hasSize(2).containsEntry(first, 3).containsEntry(second, 2);
    }

    @Test
    void carriesAllFieldsOfItsOrigin() {
        SourceRecord origin = origin();
        EventRecord event = new EventRecord(origin, 123, 456);

        assertThat(event.origin()).isSameAs(origin);
        assertCarriesEverything(event);
    }

    @Test
    void carriesAllFieldsOfAnOriginThatIsNotKept() {
        EventRecord event = EventRecord.withoutOrigin(origin(), origin(), 123, 456);

        assertThat(event.origin()).isSameAs(event);
        assertCarriesEverything(event);
    }

    private static void assertCarriesEverything(EventRecord event) {
        SourceRecord origin = origin();
        assertThat(event.sizeBytes()).isEqualTo(123);
        assertThat(event.arrivalNanos()).isEqualTo(456);
        assertThat(event.sourcePartition()).isEqualTo(origin.sourcePartition());
        assertThat(event.sourceOffset()).isEqualTo(origin.sourceOffset());
        assertThat(event.topic()).isEqualTo("topic");
        assertThat(event.kafkaPartition()).isEqualTo(3);
        assertThat(event.keySchema()).isEqualTo(Schema.STRING_SCHEMA);
        assertThat(event.key()).isEqualTo("key");
        assertThat(event.valueSchema()).isEqualTo(Schema.STRING_SCHEMA);
        assertThat(event.value()).isEqualTo("value");
        assertThat(event.timestamp()).isEqualTo(99L);
        assertThat(event.headers().lastWithName("trace").value()).isEqualTo("abc");
    }

    @Test
    void isPendingUntilItIsSettled() {
        EventRecord event = new EventRecord(origin(), 1, 0);
        assertThat(event.isSettled()).isFalse();
        assertThat(event.isDelivered()).isFalse();
        assertThat(event.metadata()).isNull();
    }

    @Test
    void countsTheFirstSettlementWhenItWasDelivered() {
        EventRecord event = new EventRecord(origin(), 1, 0);
        event.settle(SENT, 10);
        event.settle(null, 20);

        assertThat(event.isDelivered()).isTrue();
        assertThat(event.metadata()).isSameAs(SENT);
        assertThat(event.settledNanos()).isEqualTo(10);
    }

    @Test
    void countsTheFirstSettlementWhenItWasSkipped() {
        EventRecord event = new EventRecord(origin(), 1, 0);
        event.settle(null, 10);
        event.settle(SENT, 20);

        assertThat(event.isSettled()).isTrue();
        assertThat(event.isDelivered()).isFalse();
        assertThat(event.metadata()).isNull();
        assertThat(event.settledNanos()).isEqualTo(10);
    }

    /** An event without its own record needs no metadata, and a reference costs the collector. */
    @Test
    void keepsTheMetadataOnlyWithTheOrigin() {
        EventRecord event = EventRecord.withoutOrigin(origin(), origin(), 1, 0);
        event.settle(SENT, 10);

        assertThat(event.isDelivered()).isTrue();
        assertThat(event.metadata()).isNull();
    }

    @Test
    void settlesTheEventsOfABulkRecord() {
        EventRecord first = new EventRecord(origin(), 1, 0);
        EventRecord second = new EventRecord(origin(), 1, 0);
        EventRecord bulk = EventRecord.bulk(origin(), List.of(first, second), 2, 0);
        bulk.settle(SENT, 10);

        assertThat(List.of(first, second)).allSatisfy(event -> {
            assertThat(event.isDelivered()).isTrue();
            assertThat(event.metadata()).isSameAs(SENT);
            assertThat(event.settledNanos()).isEqualTo(10);
        });
    }

    /** Records what it is notified of, and what its event said then. */
    private static final class WaitingOrigin extends SourceRecord implements Awaited {
        private final transient List<RecordMetadata> notices = new ArrayList<>();
        private final transient List<Boolean> settledBefore = new ArrayList<>();
        private transient EventRecord event;

        WaitingOrigin() {
            super(Map.of("p", 1), Map.of("o", 2), "topic", null, "value");
        }

        @Override
        public void settled(RecordMetadata metadata) {
            notices.add(metadata);
            settledBefore.add(event.isSettled());
        }
    }

    @Test
    void notifiesAnAwaitedOriginOnceBeforeItCountsAsSettled() {
        WaitingOrigin origin = new WaitingOrigin();
        EventRecord event = new EventRecord(origin, 1, 0);
        origin.event = event;
        assertThat(origin.notices).isEmpty();
        event.settle(SENT, 10);
        event.settle(null, 20);
        assertThat(origin.notices).containsExactly(SENT);
        assertThat(origin.settledBefore).containsExactly(false);
        assertThat(event.isSettled()).isTrue();
    }

    @Test
    void notifiesAnAwaitedOriginOfWhatKafkaDoesNotHave() {
        WaitingOrigin origin = new WaitingOrigin();
        origin.event = new EventRecord(origin, origin(), 1, 0);
        origin.event.settle(null, 10);
        assertThat(origin.notices).hasSize(1).containsOnlyNulls();
    }

    @Test
    void notifiesEveryAwaitedOriginInABulkRecord() {
        List<WaitingOrigin> origins = List.of(new WaitingOrigin(), new WaitingOrigin());
        origins.forEach(origin -> origin.event = new EventRecord(origin, 1, 0));
        EventRecord.bulk(origin(), List.of(origins.get(0).event, origins.get(1).event), 2, 0)
                .settle(SENT, 10);
        assertThat(origins).allSatisfy(origin -> assertThat(origin.notices).containsExactly(SENT));
    }

    @Test
    void storesItsPlaceInTheBatch() {
        EventRecord event = new EventRecord(origin(), 1, 0);
        assertThat(event.isOldestOfBatch()).isFalse();
        assertThat(event.endsBatch()).isFalse();

        ReturnedBatch batch = new ReturnedBatch(7, PressureLevel.L3_LOW, 5);
        batch.complete(3, 1, 77, 0);
        event.joins(batch, 1);
        assertThat(event.isOldestOfBatch()).isTrue();
        assertThat(event.endsBatch()).isFalse();
        event.joins(batch, 2);
        assertThat(event.isOldestOfBatch()).isFalse();
        assertThat(event.endsBatch()).isTrue();
        assertThat(event.batch()).isSameAs(batch);
    }

    @Test
    void passesItsPlaceInTheBatchOnToTransformedRecords() {
        EventRecord event = new EventRecord(origin(), 1, 42);
        event.joins(new ReturnedBatch(7, PressureLevel.L3_LOW, 5), 2);

        SourceRecord once = event.newRecord("other", 1, null, "k", null, "v", 5L);
        SourceRecord twice = once.newRecord("again", 2, null, "k", null, "v", 6L, new ConnectHeaders());
        SourceRecord thrice = twice.newRecord("third", 3, null, "k", null, "v", 7L);

        for (SourceRecord made : List.of(once, twice, thrice)) {
            BatchMember member = (BatchMember) made;
            assertThat(member.batch()).isSameAs(event.batch());
            assertThat(member.batchPosition()).isEqualTo(2);
            assertThat(member.arrivalNanos()).isEqualTo(42);
            assertThat(made.sourcePartition()).isEqualTo(event.sourcePartition());
            assertThat(made.sourceOffset()).isEqualTo(event.sourceOffset());
        }
        assertThat(once.topic()).isEqualTo("other");
        assertThat(once.headers()).isEqualTo(event.headers()).isNotSameAs(event.headers());
        assertThat(twice.topic()).isEqualTo("again");
        assertThat(twice.kafkaPartition()).isEqualTo(2);
        assertThat(twice.timestamp()).isEqualTo(6L);
        assertThat(twice.headers()).isEmpty();
        assertThat(once).as("values compare").isEqualTo(event.newRecord("other", 1, null, "k", null, "v", 5L));
    }

    @Test
    void comparesPlacesBySourcePartitionAndOffset() {
        SourceRecord here = origin();
        assertThat(EventRecord.sameOffset(here, origin())).isTrue();
        assertThat(EventRecord.sameOffset(here, origin(Map.of("p", 1), Map.of("o", 3))))
                .isFalse();
        assertThat(EventRecord.sameOffset(here, origin(Map.of("p", 2), Map.of("o", 2))))
                .isFalse();
        assertThat(EventRecord.sameOffset(origin(null, Map.of("o", 2)), origin(null, Map.of("o", 2))))
                .isTrue();
    }

    @Test
    void neverTreatsTwoNullOffsetsAsTheSamePlace() {
        SourceRecord nowhere = origin(Map.of("p", 1), null);
        assertThat(EventRecord.sameOffset(nowhere, nowhere)).isFalse();
        assertThat(EventRecord.sameOffset(nowhere, origin())).isFalse();
        assertThat(EventRecord.sameOffset(origin(), nowhere)).isFalse();
    }
}
