package io.microbatch.bench.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The consumer groups of a run, each of one consumer that reads as far as is committed. The first is polled by the
 * thread that follows the run, the others by threads of their own.
 */
final class Readers implements AutoCloseable {

    private static final long POLL_MS = 100;
    private static final int JOIN_POLLS = 200;
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);
    private static final long THREAD_LIMIT_MS = TimeUnit.SECONDS.toMillis(90);

    private final Group first;
    private final List<Other> others = new ArrayList<>();

    /** Joins all of them to their groups. */
    Readers(String bootstrapServers, LoadSpec spec) {
        first = new Group(bootstrapServers, spec, 0);
        for (int group = 1; group < spec.layout().groups(); group++) {
            Other other = new Other(new Group(bootstrapServers, spec, group));
            others.add(other);
            other.thread.start();
        }
        first.join();
    }

    /** Takes what there is. */
    void poll() {
        first.poll();
    }

    boolean haveEnded() {
        return first.reading.hasEnded() && others.stream().allMatch(other -> other.ended);
    }

    Reading first() {
        return first.reading;
    }

    /**
     * All of them, read to the end of what is committed now: a doubled tail lies behind the last event. The threads
     * have ended when this returns.
     */
    List<Reading> stop() {
        first.drain();
        List<Reading> readings = new ArrayList<>(List.of(first.reading));
        for (Other other : others) {
            other.stop();
            readings.add(other.group.reading);
        }
        return readings;
    }

    @Override
    public void close() {
        others.forEach(Other::abandon);
        first.consumer.close();
    }

    /** One group. One thread. */
    private static final class Group {

        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Reading reading;

        Group(String bootstrapServers, LoadSpec spec, int number) {
            reading = new Reading(spec);
            Map<String, Object> settings = Map.of(
                    ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    bootstrapServers,
                    ConsumerConfig.GROUP_ID_CONFIG,
                    spec.topic() + "-readers-" + number,
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                    "earliest",
                    ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                    "read_committed",
                    ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                    false,
                    ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                    20_000,
                    ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                    8 << 20);
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer.subscribe(spec.layout().names(spec.topic()));
        }

        /** Returns when the group has all partitions, so that joining is no part of what is measured. */
        void join() {
            for (int i = 0; i < JOIN_POLLS && consumer.assignment().isEmpty(); i++) {
                poll();
            }
        }

        void poll() {
            var records = consumer.poll(Duration.ofMillis(POLL_MS));
            Instant now = Instant.now();
            long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                reading.take(record.value(), record.offset(), epochNanos);
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
    }

    /** A group with its thread. */
    private static final class Other implements Runnable {

        private final Group group;
        private final Thread thread;
        private volatile boolean stopping;
        private volatile boolean abandoned;
        private volatile boolean ended;

        Other(Group group) {
            this.group = group;
            thread = new Thread(this, "reader");
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try (group.consumer) {
                while (!stopping) {
                    group.poll();
                    ended = group.reading.hasEnded();
                }
                if (!abandoned) {
                    group.drain();
                }
            }
        }

        /** Ends the thread without reading the rest. */
        void abandon() {
            abandoned = true;
            stop();
        }

        void stop() {
            stopping = true;
            try {
                thread.join(THREAD_LIMIT_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            if (thread.isAlive()) {
                throw new IllegalStateException("a reader hangs");
            }
        }
    }
}
