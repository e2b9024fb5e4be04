package io.microbatch.bench.bulk;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Notes how far a topic of one partition is committed over time, without reading it: the last stable offset, some
 * hundred times a second. One thread.
 */
final class CommittedEnd implements AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** So long without a commit, after there were some, is the end. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final NavigableMap<Long, Long> seenNanos = new TreeMap<>();

    CommittedEnd(String bootstrapServers, String topic) {
        partition = new TopicPartition(topic, 0);
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Until nothing more is committed, or it has failed, or the time is over. */
    void follow(BooleanSupplier hasFailed, long mostMs) {
        long beganNanos = System.nanoTime();
        long lookedNanos = beganNanos;
        long movedNanos = beganNanos;
        while (System.nanoTime() - beganNanos < TimeUnit.MILLISECONDS.toNanos(mostMs)) {
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            long nowNanos = System.nanoTime();
            if (end > 0 && seenNanos.putIfAbsent(end, nowNanos) == null) {
                movedNanos = nowNanos;
            }
            if (!seenNanos.isEmpty() && nowNanos - movedNanos > QUIET_NANOS) {
                return;
            }
            if (nowNanos - lookedNanos > LOOK_NANOS) {
                lookedNanos = nowNanos;
                if (hasFailed.getAsBoolean()) {
                    return;
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** The first committed end that was seen. 0 if there was none. */
    long first() {
        return seenNanos.isEmpty() ? 0 : seenNanos.firstKey();
    }

    /** When this offset was first seen to be committed, on this process's clock. Far ahead if it was not. */
    long passedNanos(long offset) {
        Map.Entry<Long, Long> passed = seenNanos.higherEntry(offset);
        return passed == null ? System.nanoTime() + TimeUnit.DAYS.toNanos(1) : passed.getValue();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
