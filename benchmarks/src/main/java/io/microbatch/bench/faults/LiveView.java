package io.microbatch.bench.faults;

import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.Oracle;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A read_committed consumer that runs during the round and reports how far each source partition is, and when it
 * delivered again. It goes to the broker directly, past the proxy, and retries during the broker's own failures. It
 * decides when to continue; the {@link Oracle} finds what is true afterwards.
 */
final class LiveView implements AutoCloseable {

    private static final long END_LIMIT_MS = 10_000;

    private final Feed feed;
    private final Properties settings;
    private final Thread thread;
    private final long[] highest;
    private final long[] revivedNanos;
    private long watchedFromMs = Long.MAX_VALUE;
    private long records;
    private volatile boolean ended;

    LiveView(String bootstrapServers, Feed feed) {
        this.feed = feed;
        this.highest = new long[feed.sourcePartitions];
        this.revivedNanos = new long[feed.sourcePartitions];
        Arrays.fill(highest, -1);
        this.settings = new Properties();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // It must see the first record after a broker's death soon.
        settings.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "100");
        settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, "5000");
        this.thread = new Thread(this::consume, "faults-live-view");
        thread.setDaemon(true);
        thread.start();
    }

    private void consume() {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            List<TopicPartition> partitions = IntStream.range(0, feed.topicPartitions)
                    .mapToObj(partition -> new TopicPartition(feed.topic(), partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!ended) {
                poll(consumer);
            }
        }
    }

    private void poll(KafkaConsumer<byte[], byte[]> consumer) {
        try {
            consumer.poll(Duration.ofMillis(50)).forEach(record -> {
                Event event = feed.decode(record.value());
                if (event != null && event.partition() < highest.length) {
                    note(event);
                }
            });
        } catch (KafkaException e) {
            // The broker is what is being broken; the next poll tries again.
            boolean interrupted = Thread.currentThread().isInterrupted();
            ended |= interrupted;
        }
    }

    private synchronized void note(Event event) {
        records++;
        int partition = event.partition();
        highest[partition] = Math.max(highest[partition], event.sequence());
        if (event.madeEpochMs() > watchedFromMs && revivedNanos[partition] == 0) {
            revivedNanos[partition] = System.nanoTime();
        }
    }

    /** Watches for events that come into being after this moment. */
    synchronized void watchFromNow() {
        watchedFromMs = System.currentTimeMillis();
        Arrays.fill(revivedNanos, 0);
    }

    /** Whether every steady source partition has shown such an event. */
    synchronized boolean allRevived() {
        return steady().allMatch(nanos -> nanos != 0);
    }

    private LongStream steady() {
        return IntStream.range(0, revivedNanos.length)
                .filter(feed::isSteady)
                .mapToLong(partition -> revivedNanos[partition]);
    }

    /** How long after this moment the slowest steady source partition showed its first such event. At least 0. */
    synchronized long revivedAfterNanos(long nanos) {
        return Math.max(0, steady().map(each -> each - nanos).max().orElse(0));
    }

    /** The highest sequence of each source partition, -1 for none. */
    synchronized long[] highest() {
        return highest.clone();
    }

    /** Whether the last event of every source partition has arrived, of which there are so many. */
    synchronized boolean hasReached(long[] events) {
        return IntStream.range(0, events.length).allMatch(partition -> highest[partition] >= events[partition] - 1);
    }

    /** How many records there were, repetitions included. */
    synchronized long records() {
        return records;
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join(END_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
