package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EventRunTest {

    private final RunPlace place = new RunPlace(Map.of("p", 1), "t", 2, new byte[] {3});
    private final EventRun run = new EventRun(place, Map.of("o", 9), 4, 1_700_000_000_000L, 77);

    @Test
    void knowsWhatTheRecordNeeds() {
        assertThat(run.place()).isSameAs(place);
        assertThat(run.sourceOffset()).isEqualTo(Map.of("o", 9));
        assertThat(run.events()).isEqualTo(4);
        assertThat(run.timestampMs()).isEqualTo(1_700_000_000_000L);
        assertThat(run.arrivalNanos()).isEqualTo(77);
    }

    @Test
    void isSettledWhetherKafkaHasItOrNot() {
        assertThat(run.isSettled()).isFalse();
        run.settle(null, 1);
        assertThat(run.isSettled()).isTrue();
    }

    @Test
    void twoPlacesAreTheSameOnlyIfTheyAreOne() {
        RunPlace alike = new RunPlace(place.sourcePartition(), place.topic(), place.kafkaPartition(), place.key());
        assertThat(place).isEqualTo(place).isNotEqualTo(alike);
        assertThat(place.hashCode()).isEqualTo(System.identityHashCode(place));
    }

    @Test
    void aLedgerIsEmptyOnceAllOfItIsDrained() {
        AckLedger<EventRun> ledger = new AckLedger<>();
        assertThat(ledger.isEmpty()).isTrue();
        ledger.append(run);
        assertThat(ledger.isEmpty()).isFalse();
        run.settle(null, 1);
        assertThat(ledger.drainSettled(settled -> assertThat(settled).isSameAs(run)))
                .isEqualTo(1);
        assertThat(ledger.isEmpty()).isTrue();
    }

    @Test
    void theHorizonLearnsThatTheWorkerDeliversAtLeastOnce() {
        CommitHorizon horizon = new CommitHorizon(0);
        assertThat(horizon.isAtLeastOnce()).isFalse();
        horizon.acknowledgedAtLeastOnce();
        assertThat(horizon.isAtLeastOnce()).isTrue();
        horizon.acknowledgedAtLeastOnce();
        assertThat(horizon.isAtLeastOnce()).isTrue();
    }

    @Test
    void latenciesAreCountedByEventsInMicrosecondsAndWithinAnHour() {
        AckLatency latency = new AckLatency();
        latency.record(100_000, 3);
        latency.record(1, 1);
        latency.record(Long.MAX_VALUE, 1);

        assertThat(latency.interval().getTotalCount()).isEqualTo(5);
        assertThat(latency.interval().getTotalCount()).as("since then").isZero();
        latency.record(100_000, 3);
        assertThat(latency.interval().getValueAtPercentile(50)).isEqualTo(100);
    }
}
