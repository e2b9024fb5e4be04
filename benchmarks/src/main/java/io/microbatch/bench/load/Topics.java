package io.microbatch.bench.load;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/** Creates and deletes a run's topics, replicated as the brokers do by default. Safe on any thread. */
record Topics(String bootstrapServers) {

    private static final long LIMIT_SECONDS = 30;

    void create(List<String> topics, int partitions) {
        admin(admin -> admin.createTopics(topics.stream()
                        .map(topic -> new NewTopic(topic, Optional.of(partitions), Optional.empty()))
                        .toList())
                .all());
    }

    /** So that the disk holds one run at a time. */
    void delete(List<String> topics) {
        admin(admin -> admin.deleteTopics(topics).all());
    }

    private void admin(Function<Admin, KafkaFuture<Void>> order) {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            Void ignored = order.apply(admin).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the broker refused", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
