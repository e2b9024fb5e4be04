package io.microbatch.bench.fleet;

import io.microbatch.testbed.oracle.Findings;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** One consumer that reads what all connectors of a fleet have committed. One thread. */
public final class FleetReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

    private final Map<String, FleetStream> streams;
    private final KafkaConsumer<byte[], byte[]> consumer;

    /** Reads partition 0 of each topic from its beginning. */
    public FleetReader(String bootstrapServers, Map<String, FleetStream> streams) {
        this.streams = streams;
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(streams.keySet().stream()
                .map(topic -> new TopicPartition(topic, 0))
                .toList());
    }

    /** Takes what there is, or waits for a tenth of a second. */
    void poll() {
        var records = consumer.poll(POLL);
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            streams.get(record.topic()).take(record.value(), record.offset(), epochNanos);
        }
    }

    /** Polls until this time. */
    public void pollUntil(long epochMs) {
        while (System.currentTimeMillis() < epochMs) {
            poll();
        }
    }

    /** Whether the last event of every connector has come. */
    boolean haveEnded() {
        return streams.values().stream().allMatch(FleetStream::hasEnded);
    }

    /** Takes all that is committed now: a repeated tail is behind the last event. */
    public void drain() {
        long beganNanos = System.nanoTime();
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() - beganNanos >= DRAIN_LIMIT.toNanos()) {
                throw new IllegalStateException("the end of the topics cannot be read: " + ends);
            }
            poll();
        }
    }

    Collection<FleetStream> streams() {
        return streams.values();
    }

    /** What was found, over all connectors. */
    Findings findings() {
        return streams.values().stream().map(FleetStream::findings).reduce(Findings.NONE, Findings::plus);
    }

    /** The latencies of all connectors together, in microseconds. */
    Histogram micros() {
        Histogram all = new Histogram(streams.values().iterator().next().micros());
        all.reset();
        streams.values().forEach(stream -> all.add(stream.micros()));
        return all;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
