package io.microbatch.bench.producer;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic of one partition to its end, as far as it is committed, and checks every event. One thread, for one
 * topic.
 */
public final class ReadBack {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Unpacking unpacking;
    private final Oracle oracle;
    private final SyntheticEvent codec = new SyntheticEvent();
    private long markOffset;
    private long eventsBeforeMark;
    private long lastOffset = -1;
    private long records;
    private long taken;

    /** How the events lie in a record. */
    @FunctionalInterface
    public interface Unpacking {
        /** Shows each event in its order, as a part of an array. */
        void each(byte[] record, Visitor visitor);
    }

    /** Gets an event. */
    @FunctionalInterface
    public interface Visitor {
        /** It lies in the array at this offset, with this size. */
        void event(byte[] bytes, int offset, int sizeBytes);
    }

    /**
     * Expects this many events.
     *
     * @param unpacking may throw an {@link IllegalArgumentException} for a record that is not one; that is a corrupt
     *     event
     */
    public ReadBack(int events, Unpacking unpacking) {
        this.oracle = Oracle.even(1, events);
        this.unpacking = unpacking;
    }

    /** Events of this size without anything between them. */
    public static Unpacking side(int eventBytes) {
        return (record, visitor) -> {
            for (int at = 0; at < record.length; at += eventBytes) {
                visitor.event(record, at, Math.min(eventBytes, record.length - at));
            }
        };
    }

    /** Reads a topic back, and answers what became of the events that were sent. */
    static Findings check(String bootstrapServers, String topic, int events) {
        return new ReadBack(events, side(Payload.EVENT_BYTES)).read(bootstrapServers, topic);
    }

    /** Counts the events before this offset. */
    public void mark(long offset) {
        markOffset = offset;
    }

    /** How many events lie before the mark. */
    public long eventsBeforeMark() {
        return eventsBeforeMark;
    }

    /** Where the last record lies. */
    public long lastOffset() {
        return lastOffset;
    }

    /** How many records there were. */
    public long records() {
        return records;
    }

    /** Reads the topic, and answers what became of the events. */
    public Findings read(String bootstrapServers, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        8 << 20,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long progressNanos = System.nanoTime();
            // Not before every event is there: the end moves on when the last transaction's markers, or what acks=0 has
            // sent, arrive. And to the end of the log: what came twice may lie behind the last event.
            while ((!oracle.hasEnded() || !atEnd(consumer, partition))
                    && System.nanoTime() - progressNanos < STALLED_NANOS) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    take(record);
                    progressNanos = System.nanoTime();
                }
            }
        }
        return oracle.findings();
    }

    private static boolean atEnd(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        return consumer.position(partition)
                >= consumer.endOffsets(List.of(partition)).get(partition);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        records++;
        try {
            unpacking.each(record.value(), this::take);
        } catch (RuntimeException e) {
            oracle.sawCorrupt();
        }
        lastOffset = record.offset();
        if (lastOffset < markOffset) {
            eventsBeforeMark = taken;
        }
    }

    private void take(byte[] bytes, int offset, int sizeBytes) {
        taken++;
        oracle.saw(0, codec.decode(bytes, offset, sizeBytes).sequence());
    }
}
