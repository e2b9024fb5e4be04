package io.microbatch.bench.hosting;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** How far topics are committed. It decides when to go on; what is true is read afterwards. One thread. */
final class Progress implements AutoCloseable {

    private static final long LIMIT_SECONDS = 30;

    private final Admin admin;

    Progress(String bootstrapServers) {
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    /** The sum of the last stable offsets of each group of topics. */
    long[] committed(List<List<Member.Topic>> groups) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        groups.forEach(group -> group.forEach(topic -> partitions(topic, asked)));
        Map<TopicPartition, ListOffsetsResultInfo> ends = ask(asked);
        return groups.stream()
                .mapToLong(group ->
                        group.stream().mapToLong(topic -> sum(topic, ends)).sum())
                .toArray();
    }

    private static void partitions(Member.Topic topic, Map<TopicPartition, OffsetSpec> asked) {
        for (int partition = 0; partition < topic.partitions(); partition++) {
            asked.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
        }
    }

    private static long sum(Member.Topic topic, Map<TopicPartition, ListOffsetsResultInfo> ends) {
        long sum = 0;
        for (int partition = 0; partition < topic.partitions(); partition++) {
            sum += ends.get(new TopicPartition(topic.name(), partition)).offset();
        }
        return sum;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> ask(Map<TopicPartition, OffsetSpec> asked) {
        try {
            return admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                    .all()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the broker does not say how far its topics are", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
