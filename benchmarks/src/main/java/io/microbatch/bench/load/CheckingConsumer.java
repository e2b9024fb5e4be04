package io.microbatch.bench.load;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer group of one that reads the topics of a run as far as they are committed. One thread. */
final class CheckingConsumer implements AutoCloseable {

    private static final int JOIN_POLLS = 200;
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Reading reading;

    CheckingConsumer(String bootstrapServers, LoadSpec spec, int group) {
        reading = new Reading(spec);
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.GROUP_ID_CONFIG,
                        spec.topic() + "-readers-" + group,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        20_000,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        8 << 20),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.subscribe(spec.layout().names(spec.topic()));
    }

    /** Returns when the group has all partitions, so that joining is no part of what is measured. */
    void join() {
        for (int i = 0; i < JOIN_POLLS && consumer.assignment().isEmpty(); i++) {
            poll(100);
        }
    }

    void poll(long timeoutMs) {
        var records = consumer.poll(Duration.ofMillis(timeoutMs));
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            reading.take(record.value(), epochNanos);
        }
    }

    /** Takes all that is committed now, however many polls it needs. */
    void drain() {
        long untilNanos = System.nanoTime() + DRAIN_LIMIT.toNanos();
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() - untilNanos >= 0) {
                throw new IllegalStateException("the end of the topics cannot be read: " + ends);
            }
            poll(100);
        }
    }

    Reading reading() {
        return reading;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
