package io.microbatch.bench.faults;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/** Creates the topic of a round, replicated as the brokers do by default. */
final class Topics {

    private static final long LIMIT_SECONDS = 30;

    private Topics() {}

    /** The log's own time on every record: the oracle measures with it how long a repeated stretch was. */
    static void create(String bootstrapServers, String topic, int partitions) {
        NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty())
                .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"));
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            Void ignored = admin.createTopics(List.of(wanted)).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("topic " + topic + " could not be created", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
