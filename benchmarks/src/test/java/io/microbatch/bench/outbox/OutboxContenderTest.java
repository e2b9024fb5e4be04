package io.microbatch.bench.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.outbox.peer.RelayPlan;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutboxContenderTest {

    @ParameterizedTest
    @EnumSource(OutboxContender.class)
    void isARelayOrAConnectorWhoseSettingsAreShown(OutboxContender contender) {
        boolean isRelay = contender.kind() == OutboxContender.Kind.RELAY;
        assertThat(contender.plan().isPresent()).isEqualTo(isRelay);
        assertThat(contender.settings()).containsKey(isRelay ? "batch.rows" : "connector.class");
        assertThat(contender.settings().keySet())
                .noneMatch(key -> key.contains("password") || key.contains("slot") || key.contains("url"));
        assertThat(contender.text()).isEqualTo(contender.text().toLowerCase(java.util.Locale.ROOT));
    }

    @Test
    void relaysHaveTheStrongestProducerOfTheirPromise() {
        assertThat(relays())
                .allSatisfy(plan -> assertThat(plan.settings())
                        .containsEntry("acks", "all")
                        .containsEntry("enable.idempotence", "true")
                        .containsEntry("poll.interval.ms", "20"));
        // A linger would be a wait for each row.
        assertThat(OutboxContender.SEND_AND_WAIT.settings()).containsEntry("linger.ms", "0");
    }

    @Test
    void aRelaysPlanIsReadFromItsSettings() {
        assertThat(relays())
                .hasSize(8)
                .allSatisfy(plan -> assertThat(RelayPlan.of(plan.settings())).isEqualTo(plan));
    }

    private static List<RelayPlan> relays() {
        return Arrays.stream(OutboxContender.values())
                .flatMap(contender -> contender.plan().stream())
                .toList();
    }

    @Test
    void debeziumIsItselfWithItsRouterAndTheHostedOneHasNoTuningByHand() {
        assertThat(OutboxContender.DEBEZIUM_SMALL.settings())
                .containsEntry("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .containsEntry("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .containsEntry("poll.interval.ms", "10")
                .containsEntry("exactly.once.support", "required")
                .doesNotContainKeys("upstream.type", "transaction.boundary", "pressure.window.ms");
        assertThat(OutboxContender.DEBEZIUM_MID_I50.settings())
                .containsEntry("transaction.boundary", "interval")
                .containsEntry("transaction.boundary.interval.ms", "50");
        assertThat(OutboxContender.HOSTED.settings())
                .containsEntry("upstream.connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .containsEntry("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .containsEntry("upstream.connector.table.include.list", "public.outboxevent")
                .doesNotContainKeys("max.queue.size", "upstream.connector.max.queue.size");
    }

    @Test
    void aLingerIsAsLongAsTheIntervalAndTheOnlyDifference() {
        Map<String, String> expected = new HashMap<>(OutboxContender.DEBEZIUM_MID_I50.settings());
        expected.put("producer.override.linger.ms", "50");
        assertThat(OutboxContender.DEBEZIUM_MID_I50_L50.settings()).isEqualTo(expected);
        assertThat(OutboxContender.DEBEZIUM_MID_I50_L50.text()).isEqualTo("debezium-mid-i50-l50");
        assertThat(OutboxContender.QUICK)
                .contains(OutboxContender.DEBEZIUM_MID_I50, OutboxContender.DEBEZIUM_MID_I50_L50);
    }

    @Test
    void fourTasksHaveFourShards() {
        assertThat(OutboxContender.OUTBOX_4.tasks()).isEqualTo(4);
        assertThat(OutboxContender.OUTBOX_4.settings()).containsEntry("upstream.outbox.shards", "4");
        assertThat(OutboxContender.OUTBOX_1.settings()).containsEntry("tasks.max", "1");
    }

    @Test
    void promisesWhatItsWorkerDoes() {
        assertThat(OutboxContender.OUTBOX_1.delivery()).isEqualTo(Delivery.EXACTLY_ONCE);
        assertThat(OutboxContender.OUTBOX_ALO.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
        assertThat(OutboxContender.OUTBOX_ALO.settings()).doesNotContainKey("exactly.once.support");
        assertThat(OutboxContender.FIRE_FLUSH_AWAIT_100.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
    }

    @Test
    void aSlowOneGetsAPartOfTheBacklog() {
        assertThat(OutboxContender.OUTBOX_1.backlogRows(40_000)).isEqualTo(40_000);
        assertThat(OutboxContender.SEND_AND_WAIT.backlogRows(40_000)).isEqualTo(400);
        assertThat(OutboxContender.SEND_AND_WAIT.backlogRows(10)).isEqualTo(1);
    }
}
