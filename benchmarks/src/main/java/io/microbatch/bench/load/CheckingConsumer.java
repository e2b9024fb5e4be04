package io.microbatch.bench.load;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic of one partition as far as it is committed, and checks and times every event. One thread. */
final class CheckingConsumer implements AutoCloseable {

    private static final long HIGHEST_MICROS = 3_600_000_000L;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final SyntheticEvent codec = new SyntheticEvent();
    private final SequenceCheck check;
    private final int warmUpEvents;
    private final Histogram micros = new Histogram(HIGHEST_MICROS, 3);
    private final Timeline timeline = new Timeline();
    private long corrupt;
    private long measured;
    private long firstNanos;
    private long firstDueNanos;
    private long lastNanos;

    CheckingConsumer(String bootstrapServers, String topic, int events, int warmUpEvents) {
        this.check = new SequenceCheck(events);
        this.warmUpEvents = warmUpEvents;
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
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
        List<TopicPartition> partition = List.of(new TopicPartition(topic, 0));
        consumer.assign(partition);
        consumer.seekToBeginning(partition);
    }

    void poll(long timeoutMs) {
        var records = consumer.poll(Duration.ofMillis(timeoutMs));
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            take(record.value(), epochNanos);
        }
    }

    private void take(byte[] value, long epochNanos) {
        SyntheticEvent.Header header;
        try {
            header = codec.decode(value);
        } catch (IllegalArgumentException e) {
            corrupt++;
            return;
        }
        check.add(header.sequence());
        long latencyMicros = Math.max(0, (epochNanos - header.intendedEpochNanos()) / 1_000);
        timeline.add(header.intendedEpochNanos(), latencyMicros);
        if (header.sequence() >= warmUpEvents) {
            if (measured++ == 0) {
                firstNanos = epochNanos;
                firstDueNanos = header.intendedEpochNanos();
            }
            lastNanos = epochNanos;
            micros.recordValue(Math.min(HIGHEST_MICROS, latencyMicros));
        }
    }

    /** Whether the measured part has begun. */
    boolean isWarm() {
        return measured > 0;
    }

    /** When the measured part began, on the wall clock. */
    long warmEpochMs() {
        return firstNanos / 1_000_000;
    }

    SequenceCheck check() {
        return check;
    }

    long corrupt() {
        return corrupt;
    }

    long measured() {
        return measured;
    }

    Histogram micros() {
        return micros;
    }

    Timeline timeline() {
        return timeline;
    }

    /** From the first to the last event of the measured part. */
    double perSec() {
        return (measured - 1) * 1e9 / Math.max(1, lastNanos - firstNanos);
    }

    /** From when the first event of the measured part was due to the last: for events that may all arrive at once. */
    double perSecSinceDue() {
        return measured * 1e9 / Math.max(1, lastNanos - firstDueNanos);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
