package io.microbatch.testbed;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Aborts hanging transactions as an operator does with {@code kafka-transactions.sh}. A single broker of Kafka 4.3.1
 * that has just started can end a transaction without writing its markers, because it treats partitions without a
 * leader as deleted. Consumers of committed records then stop before that transaction. So no connector starts, because
 * it first reads the offsets topic to its end. Stateless.
 */
public final class HangingTransactions {

    private static final long LIMIT_SECONDS = 30;

    private HangingTransactions() {}

    /**
     * Aborts the open transactions of these topics that have not been written to for longer than {@code olderThanMs}.
     *
     * @return the partitions of these transactions
     */
    public static List<TopicPartition> abort(String bootstrapServers, List<String> topics, long olderThanMs) {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (TopicDescription topic : admin.describeTopics(topics)
                    .allTopicNames()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .values()) {
                topic.partitions().forEach(each -> partitions.add(new TopicPartition(topic.name(), each.partition())));
            }
            Map<TopicPartition, PartitionProducerState> states =
                    admin.describeProducers(partitions).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            List<TopicPartition> aborted = new ArrayList<>();
            for (TopicPartition partition : partitions) {
                for (ProducerState producer : states.get(partition).activeProducers()) {
                    if (isHanging(producer, olderThanMs)) {
                        admin.abortTransaction(new AbortTransactionSpec(
                                        partition,
                                        producer.producerId(),
                                        (short) producer.producerEpoch(),
                                        producer.coordinatorEpoch().orElse(0)))
                                .all()
                                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
                        aborted.add(partition);
                    }
                }
            }
            return aborted;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("cannot list hanging transactions: " + e.getMessage(), e);
        }
    }

    private static boolean isHanging(ProducerState producer, long olderThanMs) {
        return producer.currentTransactionStartOffset().isPresent()
                && System.currentTimeMillis() - producer.lastTimestamp() > olderThanMs;
    }
}
