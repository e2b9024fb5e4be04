package io.microbatch.testbed;

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
import org.apache.kafka.common.config.TopicConfig;

/** Creates and deletes topics with the brokers' default replication. Safe on any thread. */
public record Topics(String bootstrapServers) {

    private static final long LIMIT_SECONDS = 30;

    /** Defines a topic whose records keep their timestamps, or get the time of the append. */
    public static NewTopic topic(String name, int partitions, boolean keepsTimestamps) {
        return new NewTopic(name, Optional.of(partitions), Optional.empty())
                .configs(Map.of(
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, keepsTimestamps ? "CreateTime" : "LogAppendTime"));
    }

    /** Creates topics with this number of partitions each. */
    public void create(List<String> names, int partitions) {
        create(names.stream().map(name -> topic(name, partitions, true)).toList());
    }

    /** Creates topics. */
    public void create(List<NewTopic> topics) {
        Void ignored = ask(admin -> admin.createTopics(topics).all());
    }

    /** Deletes topics. */
    public void delete(List<String> names) {
        Void ignored = ask(admin -> admin.deleteTopics(names).all());
    }

    /**
     * Asks the brokers and returns their response.
     *
     * @throws IllegalStateException when they refuse, or do not respond within 30 s, or the thread is interrupted
     */
    public <T> T ask(Function<Admin, KafkaFuture<T>> question) {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            return question.apply(admin).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the brokers refused the request", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
