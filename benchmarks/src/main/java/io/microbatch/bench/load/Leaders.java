package io.microbatch.bench.load;

import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.internals.Topic;

/**
 * Which of three brokers lead what a source task's transaction writes to. Where one leads the records and another one
 * the offsets, both ask the transaction coordinator, and it refuses the one that comes second while it logs the other's
 * partition. Kafka chooses leaders by chance, so that turns of one setting would not be alike.
 */
public enum Leaders {
    /** One broker leads the first partition of each topic, another one the offsets, and the third is coordinator. */
    APART(2),
    /** One broker leads the first partition of each topic and the offsets. Another one is coordinator. */
    TOGETHER(1);

    private static final int FIRST_BROKER = 1;
    private static final int COORDINATOR = 3;
    /** So many as the testbed's brokers and workers have by default. */
    private static final int INTERNAL_PARTITIONS = 4;

    private final int offsetsLeader;

    Leaders(int offsetsLeader) {
        this.offsetsLeader = offsetsLeader;
    }

    /** As the command line and the results write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A topic whose partitions are led by the brokers in turn. Its first partition is led by the first broker. */
    NewTopic topic(String name, int partitions) {
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            replicas.put(partition, ledBy(FIRST_BROKER + partition % BrokerCluster.NODES));
        }
        return new NewTopic(name, replicas)
                .configs(Topics.topic(name, partitions, true).configs());
    }

    /** The topics of workers' offsets, and the transaction log, which brokers create themselves if it is not there. */
    List<NewTopic> internal(List<String> offsetsTopics) {
        List<NewTopic> topics = new ArrayList<>();
        offsetsTopics.forEach(name -> topics.add(compacted(name, offsetsLeader)));
        topics.add(compacted(Topic.TRANSACTION_STATE_TOPIC_NAME, COORDINATOR));
        return topics;
    }

    private static NewTopic compacted(String name, int leader) {
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int partition = 0; partition < INTERNAL_PARTITIONS; partition++) {
            replicas.put(partition, ledBy(leader));
        }
        return new NewTopic(name, replicas)
                .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    /** Three replicas, of which the first one leads. */
    private static List<Integer> ledBy(int leader) {
        List<Integer> brokers = new ArrayList<>();
        for (int next = 0; next < BrokerCluster.NODES; next++) {
            brokers.add(FIRST_BROKER + (leader - FIRST_BROKER + next) % BrokerCluster.NODES);
        }
        return brokers;
    }
}
