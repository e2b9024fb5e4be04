package io.microbatch.bench.producer;

import io.microbatch.bench.load.SequenceCheck;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic of one partition to its end, as far as it is committed, and checks every event. Stateless. */
final class ReadBack {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private ReadBack() {}

    /** What became of so many events that were sent. */
    static SequenceCheck check(String bootstrapServers, String topic, int events) {
        SequenceCheck check = new SequenceCheck(events);
        SyntheticEvent codec = new SyntheticEvent();
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        8 << 20),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long progressNanos = System.nanoTime();
            // Not before every event is there: the end moves on when the last transaction's markers, or what acks=0 has
            // sent, arrive. And to the end of the log: what came twice may lie behind the last event.
            while ((!check.hasEnded() || !atEnd(consumer, partition))
                    && System.nanoTime() - progressNanos < STALLED_NANOS) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    take(record.value(), codec, check);
                    progressNanos = System.nanoTime();
                }
            }
        }
        return check;
    }

    private static boolean atEnd(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        return consumer.position(partition)
                >= consumer.endOffsets(List.of(partition)).get(partition);
    }

    private static void take(byte[] record, SyntheticEvent codec, SequenceCheck check) {
        for (int at = 0; at < record.length; at += Payload.EVENT_BYTES) {
            try {
                check.add(codec.decode(Arrays.copyOfRange(record, at, at + Payload.EVENT_BYTES))
                        .sequence());
            } catch (IllegalArgumentException e) {
                // Counts as one that nobody sent.
                check.add(-1);
            }
        }
    }
}
