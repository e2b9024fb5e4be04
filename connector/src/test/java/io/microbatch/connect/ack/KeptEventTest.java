package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of a ledger while one event is not settled, because its topic's partition is offline. */
@Timeout(60)
class KeptEventTest {

    private static final RecordMetadata SENT = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);
    private static final int EVENT_BYTES = 1 << 20;
    private static final int EVENTS = 20;

    private final List<WeakReference<Object>> payloads = new ArrayList<>();
    private final List<SettledEvent> told = new ArrayList<>();

    private static SourceRecord origin(int offset, Object payload) {
        return new SourceRecord(Map.of("p", 0), Map.of("o", offset), "t", null, payload);
    }

    private AckLedger ledger(KeptPart kept) {
        return new AckLedger(2L * EVENT_BYTES, kept::of);
    }

    /** Settles all events but the first. Some of them are filtered. */
    private EventRecord appendAllAndSettleAllButTheFirst(AckLedger ledger) {
        EventRecord first = null;
        for (int i = 0; i < EVENTS; i++) {
            byte[] payload = new byte[EVENT_BYTES];
            EventRecord event = new EventRecord(origin(i, payload), EVENT_BYTES, 0);
            ledger.append(event);
            if (i == 0) {
                first = event;
            } else {
                payloads.add(new WeakReference<>(payload));
                event.settle(i % 3 == 0 ? null : SENT, 100 + i);
            }
        }
        return first;
    }

    private boolean arePayloadsCollected() {
        System.gc();
        return payloads.stream().allMatch(payload -> payload.get() == null);
    }

    @Test
    void releasesThePayloadsOfSettledEvents() {
        AckLedger ledger = ledger(KeptPart.PLACE);
        EventRecord first = appendAllAndSettleAllButTheFirst(ledger);
        assertThat(ledger.drainSettled(told::add)).isZero();
        assertThat(ledger.keptBytes()).as("places take memory too").isBetween(EVENTS * 100L, EVENTS * 1_000L);
        while (!arePayloadsCollected()) {
            Thread.onSpinWait();
        }

        first.settle(SENT, 50);
        assertThat(ledger.drainSettled(told::add)).isEqualTo(EVENTS);
        assertThat(ledger.isEmpty()).isTrue();
        for (int i = 1; i < EVENTS; i++) {
            SettledEvent event = told.get(i);
            assertThat(event.sourcePartition()).isEqualTo(Map.of("p", 0));
            assertThat(event.sourceOffset()).isEqualTo(Map.of("o", i));
            assertThat(event.origin().sourceOffset()).isEqualTo(Map.of("o", i));
            assertThat(event.origin().topic()).isEqualTo("t");
            assertThat(event.isDelivered()).isEqualTo(i % 3 != 0);
            assertThat(event.metadata()).isEqualTo(i % 3 == 0 ? null : SENT);
            assertThat(event.settledNanos()).isEqualTo(100 + i);
            assertThat(event.events()).isOne();
        }
    }

    @Test
    void keepsAndCountsTheUpstreamsOwnRecordOnRequest() {
        AckLedger ledger = ledger(KeptPart.ORIGIN);
        EventRecord first = appendAllAndSettleAllButTheFirst(ledger);
        assertThat(ledger.drainSettled(told::add)).isZero();
        assertThat(ledger.keptBytes()).isEqualTo((EVENTS - 1L) * EVENT_BYTES);
        assertThat(arePayloadsCollected()).isFalse();

        first.settle(SENT, 50);
        assertThat(ledger.drainSettled(told::add)).isEqualTo(EVENTS);
        assertThat(ledger.keptBytes()).isZero();
        assertThat(told.get(1).origin().value()).isSameAs(payloads.get(0).get());
    }

    @Test
    void keepsARecordOrItsPlace() {
        EventRecord event = new EventRecord(origin(1, "payload"), 50, 0);
        event.settle(SENT, 1);

        SettledEvent place = KeptPart.PLACE.of(event);
        assertThat(place.origin().value()).isNull();
        assertThat(KeptPart.PLACE.of(place)).isSameAs(place);
        assertThat(KeptPart.ORIGIN.of(event).origin()).isSameAs(event.origin());
    }

    @Test
    void doesNotCountADrainedPlace() {
        AckLedger ledger = ledger(KeptPart.PLACE);
        EventRecord first = appendAllAndSettleAllButTheFirst(ledger);
        assertThat(ledger.drainSettled(told::add)).isZero();
        first.settle(SENT, 50);
        assertThat(ledger.drainSettled(told::add)).isEqualTo(EVENTS);
        assertThat(ledger.keptBytes()).isZero();
    }

    @Test
    void stopsReducingWhenLittleIsHeldAgain() {
        AckLedger ledger = ledger(KeptPart.PLACE);
        EventRecord first = appendAllAndSettleAllButTheFirst(ledger);
        assertThat(ledger.drainSettled(told::add)).isZero();
        EventRecord later = new EventRecord(origin(EVENTS, "later"), EVENT_BYTES / 2, 0);
        ledger.append(later);
        later.settle(SENT, 200);
        for (int i = 0; i < 100; i++) {
            assertThat(ledger.drainSettled(told::add)).isZero();
        }

        first.settle(SENT, 50);
        assertThat(ledger.drainSettled(told::add)).isEqualTo(EVENTS + 1);
        assertThat(told.get(EVENTS)).isSameAs(later);
    }

    @Test
    void reducesNothingWhileLittleIsHeld() {
        AckLedger ledger = new AckLedger(100, KeptPart.PLACE::of);
        EventRecord first = new EventRecord(origin(0, "a"), 50, 0);
        EventRecord second = new EventRecord(origin(1, "b"), 50, 0);
        ledger.append(first);
        ledger.append(second);
        second.settle(SENT, 1);
        assertThat(ledger.drainSettled(told::add)).isZero();
        first.settle(SENT, 2);
        assertThat(ledger.drainSettled(told::add)).isEqualTo(2);
        assertThat(told).containsExactly(first, second);
    }

    /** The search continues where it ended, past the end of the ring, and finds events settled after that position. */
    @Test
    void findsEverySettledEventEventually() {
        AckLedger ledger = new AckLedger(100, KeptPart.PLACE::of);
        List<EventRecord> events = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            EventRecord event = new EventRecord(origin(i, "a"), 50, 0);
            events.add(event);
            ledger.append(event);
            if (i % 100 == 0) {
                assertThat(ledger.drainSettled(told::add)).isZero();
            }
        }
        events.subList(1, events.size()).forEach(event -> event.settle(SENT, 1));
        for (int i = 0; i < 100; i++) {
            assertThat(ledger.drainSettled(told::add)).isZero();
        }
        events.get(0).settle(SENT, 1);
        assertThat(ledger.drainSettled(told::add)).isEqualTo(10_000);
        assertThat(told.subList(1, told.size())).allMatch(SettledEvent::isReduced);
        assertThat(told).extracting(event -> event.sourceOffset().get("o")).isSorted();
    }
}
