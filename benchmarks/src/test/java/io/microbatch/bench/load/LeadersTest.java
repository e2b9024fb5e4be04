package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

class LeadersTest {

    @Test
    void eachBrokerLeadsSomethingElseOfATransaction() {
        assertThat(leadersOf(Leaders.APART.topic("events", 1))).containsExactly(1);
        assertThat(Leaders.APART.internal(List.of("offsets")))
                .satisfiesExactly(
                        offsets -> assertThat(leadersOf(offsets)).containsOnly(2),
                        log -> assertThat(leadersOf(log)).containsOnly(3));
    }

    @Test
    void oneBrokerLeadsRecordsAndOffsets() {
        assertThat(leadersOf(Leaders.TOGETHER.topic("events", 1))).containsExactly(1);
        assertThat(Leaders.TOGETHER.internal(List.of("offsets")))
                .satisfiesExactly(
                        offsets -> assertThat(leadersOf(offsets)).containsOnly(1),
                        log -> assertThat(leadersOf(log)).containsOnly(3));
    }

    @Test
    void thePartitionsOfATopicAreSpreadAndHaveThreeReplicas() {
        NewTopic topic = Leaders.APART.topic("events", 4);

        assertThat(leadersOf(topic)).containsExactly(1, 2, 3, 1);
        assertThat(topic.replicasAssignments().values())
                .allSatisfy(replicas -> assertThat(replicas).containsExactlyInAnyOrder(1, 2, 3));
        assertThat(topic.configs()).containsEntry("message.timestamp.type", "CreateTime");
    }

    private static List<Integer> leadersOf(NewTopic topic) {
        return topic.replicasAssignments().values().stream()
                .map(replicas -> replicas.get(0))
                .toList();
    }
}
