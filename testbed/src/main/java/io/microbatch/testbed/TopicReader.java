package io.microbatch.testbed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the content of a topic. Every read is a new consumer that starts at the beginning of every partition. Safe on
 * any thread.
 */
public final class TopicReader {

    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final String bootstrapServers;

    /** Creates a reader for this cluster. */
    public TopicReader(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /** All committed records, ordered within each partition. */
    public List<ConsumerRecord<byte[], byte[]>> readCommitted(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        readCommitted(topic, records::add);
        return records;
    }

    /**
     * Passes all committed records to {@code sink} without holding them in memory. Reads up to the last stable offset
     * of every partition at the time of the call, tail included, and does not wait for open transactions.
     */
    public void readCommitted(String topic, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
        read(topic, "read_committed", sink);
    }

    /** As {@link #readCommitted(String, Consumer)}, including the records of aborted and open transactions. */
    public void readUncommitted(String topic, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
        read(topic, "read_uncommitted", sink);
    }

    /** Whether no transaction is open in the topic: the last stable offset of each partition is its end. */
    public boolean isStable(String topic) {
        Map<TopicPartition, Long> stable = ends(topic, "read_committed");
        return stable.equals(ends(topic, "read_uncommitted"));
    }

    /**
     * Waits until no transaction is open in the topic. Kafka answers a commit before each partition has its marker, and
     * a record before the marker is not readable yet.
     *
     * @throws IllegalStateException if a transaction is still open after this time
     */
    public void awaitStable(String topic, Duration limit) {
        Await.until("no open transaction in " + topic, limit, () -> isStable(topic), () -> "one is open");
    }

    private Map<TopicPartition, Long> ends(String topic, String isolation) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(isolation))) {
            return consumer.endOffsets(partitions(consumer, topic));
        }
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }

    private void read(String topic, String isolation, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings(isolation))) {
            List<TopicPartition> partitions = partitions(consumer, topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long deadlineNanos = System.nanoTime() + LIMIT.toNanos();
            // The position also passes transaction markers, which no poll returns.
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    throw new IllegalStateException("not within " + LIMIT + ": read " + topic + " to " + ends);
                }
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))) {
                        sink.accept(record);
                    }
                });
            }
        }
    }

    private Properties settings(String isolation) {
        Properties settings = new Properties();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        return settings;
    }
}
