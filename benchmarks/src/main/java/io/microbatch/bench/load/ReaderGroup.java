package io.microbatch.bench.load;

import io.microbatch.connect.bulk.BulkFormatException;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer group of one consumer, which reads a stream as far as it is committed, from its beginning. One thread. */
final class ReaderGroup implements AutoCloseable {

    /** The largest part of a topic partition that a fetch asks for. A larger record comes alone. */
    static final int FETCH_BYTES = 8 << 20;

    private static final long POLL_MS = 100;
    private static final int JOIN_POLLS = 200;
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Reading reading;
    private final boolean bulk;
    private final BulkReader unpacker = new BulkReader(BulkLimits.DEFAULT);
    private long assignedNanos;

    /** Named after the topic and this. */
    ReaderGroup(String bootstrapServers, LoadSpec spec, String name) {
        reading = new Reading(spec);
        bulk = spec.isBulk();
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.GROUP_ID_CONFIG,
                spec.topic() + "-" + name,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                20_000,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                FETCH_BYTES);
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(spec.layout().names(spec.topic()), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                if (!partitions.isEmpty() && assignedNanos == 0) {
                    assignedNanos = System.nanoTime();
                }
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                // What was read stays read.
            }
        });
    }

    Reading reading() {
        return reading;
    }

    /** When the group had its first partitions, on the monotonic clock. 0 before. */
    long assignedNanos() {
        return assignedNanos;
    }

    /** Returns when the group has all partitions, so that joining is no part of what is measured. */
    void join() {
        for (int i = 0; i < JOIN_POLLS && consumer.assignment().isEmpty(); i++) {
            poll();
        }
    }

    /** Takes what there is. */
    void poll() {
        take(await());
    }

    /** What there is, after some waiting. To be given to {@link #take} before the next call. */
    ConsumerRecords<byte[], byte[]> await() {
        return consumer.poll(Duration.ofMillis(POLL_MS));
    }

    /** Checks and counts each event. */
    void take(ConsumerRecords<byte[], byte[]> records) {
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (bulk) {
                unpack(record, epochNanos);
            } else {
                reading.take(record.value(), record.offset(), epochNanos);
            }
        }
    }

    private void unpack(ConsumerRecord<byte[], byte[]> record, long epochNanos) {
        if (record.value() == null) {
            reading.takeCorrupt();
            return;
        }
        try {
            BulkReader events = unpacker.read(record.value());
            while (events.next()) {
                reading.take(events.array(), events.valueOffset(), events.valueLength(), record.offset(), epochNanos);
            }
        } catch (BulkFormatException e) {
            reading.takeCorrupt();
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
            poll();
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
